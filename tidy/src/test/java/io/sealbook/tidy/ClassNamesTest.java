package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassNamesTest {
    @Test
    void shouldNameBothFilesOfOneClassName() {
        assertThat(ClassNames.offences(List.of(
                        file("pbft/src/main/java/io/sealbook/pbft/Quorum.java"),
                        file("client-sdk/src/main/java/io/sealbook/client/Quorum.java"),
                        file("pbft/src/main/java/io/sealbook/pbft/Replica.java"))))
                .extracting(Offence::toString)
                .containsExactly(
                        "pbft/src/main/java/io/sealbook/pbft/Quorum.java: has the name of "
                                + "client-sdk/src/main/java/io/sealbook/client/Quorum.java",
                        "client-sdk/src/main/java/io/sealbook/client/Quorum.java: has the name of "
                                + "pbft/src/main/java/io/sealbook/pbft/Quorum.java");
    }

    @Test
    void shouldAllowTestsAndPackageDescriptions() {
        assertThat(ClassNames.offences(List.of(
                        file("a/src/test/java/A.java"),
                        file("b/src/main/java/A.java"),
                        file("a/src/main/java/package-info.java"),
                        file("b/src/main/java/package-info.java"))))
                .isEmpty();
    }

    private static TextFile file(String path) {
        return TextFile.of(path, "");
    }
}
