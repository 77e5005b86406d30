package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PropertyReadsTest {
    private static final String PRODUCT = "gpu-native/src/main/java/A.java";

    @Test
    void shouldNoticeReadsOfOwnProperties() {
        assertThat(PropertyReads.offences(TextFile.of(PRODUCT, "int i = Integer.getInteger(\"sealbook.gpu.lanes\");")))
                .extracting(Offence::toString)
                .containsExactly(PRODUCT + ":1: reads a system property of Sealbook");
    }

    @Test
    void shouldNoticeNamesInConstants() {
        String text = "String PREFIX = \"sealbook.gpu.\";\nlong l = Long.getLong(PREFIX + \"x\");\n"
                + "String s = System.getProperty(PREFIX);";

        assertThat(PropertyReads.offences(TextFile.of(PRODUCT, text)))
                .extracting(Offence::line)
                .containsExactly(2, 3);
    }

    @Test
    void shouldAllowTheVirtualMachinesPropertiesAndTheLaboratory() {
        String own = "System.getProperty(\"sealbook.data\")";

        assertThat(PropertyReads.offences(TextFile.of(PRODUCT, "System.getProperty(\"os.arch\")")))
                .isEmpty();
        assertThat(PropertyReads.offences(TextFile.of("perf/src/main/java/A.java", own)))
                .isEmpty();
        assertThat(PropertyReads.offences(TextFile.of("pbft/src/test/java/A.java", own)))
                .isEmpty();
        assertThat(PropertyReads.offences(TextFile.of(PRODUCT, "metric(\"sealbook.node\")")))
                .isEmpty();
    }
}
