package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ErrorFamiliesTest {
    @Test
    void shouldNameUncheckedExceptionsOfNoFamily() {
        assertThat(ErrorFamilies.offences(List.of(
                        file("pbft/src/main/java/A.java", "final class LostException extends RuntimeException {}"),
                        file(
                                "crypto/src/main/java/B.java",
                                "class B {\n    static final class LateException\n        extends LostException {}\n}"),
                        file("node/src/main/java/C.java", "class OldException extends IllegalStateException {}"))))
                .extracting(Offence::toString)
                .containsExactly(
                        "crypto/src/main/java/B.java:2: LateException extends RuntimeException and is of no family",
                        "pbft/src/main/java/A.java:1: LostException extends RuntimeException and is of no family",
                        "node/src/main/java/C.java:1: OldException extends IllegalStateException and is of no family");
    }

    @Test
    void shouldAllowTheFamiliesCheckedExceptionsAndTools() {
        assertThat(ErrorFamilies.offences(List.of(
                        file(
                                "vocabulary/src/main/java/OperatingFailureException.java",
                                "public class OperatingFailureException extends RuntimeException {}"),
                        file("a/src/main/java/A.java", "class FullException extends OperatingFailureException {}"),
                        file("a/src/main/java/B.java", "class FullerException extends FullException {}"),
                        file("a/src/main/java/C.java", "class BadBytesException extends IllegalArgumentException {}"),
                        file("a/src/main/java/D.java", "class PeerException extends IOException {}"),
                        file("a/src/main/java/E.java", "class Other extends Thread {}"),
                        file("a/src/test/java/F.java", "class TestException extends RuntimeException {}"),
                        file("perf/src/main/java/G.java", "class RunException extends RuntimeException {}"))))
                .isEmpty();
    }

    private static TextFile file(String path, String text) {
        return TextFile.of(path, text);
    }
}
