package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SkipReasonsTest {
    private static final String TEST = "pbft/src/test/java/A.java";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assumeTrue(isThere(), \"needs gcc: no library\");",
                "assumeTrue(\n        isThere(),\n        () -> \"needs recorded days: none at \" + path);",
                "Assumptions.assumeTrue(isThere(), \"needs \" + backend);",
                "assumeFalse(process.exitValue() == SKIPPED, said.strip());",
                "throw new TestAbortedException(\"needs Node.js: \" + e.getMessage());",
                "@EnabledOnOs(value = OS.LINUX, disabledReason = \"needs /proc\")\nclass A {",
                "import static org.junit.jupiter.api.Assumptions.assumeTrue;",
                " * A line of a comment: assumeTrue(isThere())"
            })
    void shouldAcceptAReasonThatNamesANeed(String text) {
        assertThat(SkipReasons.offences(TextFile.of(TEST, text))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assumeTrue(isThere(), \"no library for this platform\");",
                "assumeTrue(isThere(), \"needs Linux: epoll\");",
                "assumeTrue(isThere());\nlog(\"needs gcc\");",
                "assumeThat(file).exists();",
                "@EnabledOnOs(OS.LINUX)\nclass A {"
            })
    void shouldRefuseAReasonThatNamesNone(String text) {
        assertThat(SkipReasons.offences(TextFile.of(TEST, text)))
                .singleElement()
                .extracting(Offence::line)
                .isEqualTo(1);
    }

    @Test
    void shouldLookAtTestsAlone() {
        assertThat(SkipReasons.offences(TextFile.of("test-kit/src/main/java/A.java", "assumeTrue(isThere());")))
                .isEmpty();
    }
}
