package io.sealbook.tidy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatchetTest {
    @TempDir
    private Path folder;

    private Ratchet ratchet;

    @BeforeEach
    void open() throws IOException {
        Path file = folder.resolve("ratchet.tsv");
        Files.writeString(file, "width\tpom.xml\t2\nwidth\tgone/src/Moved.java\t3\nparam\tpom.xml\t9\n");
        ratchet = new Ratchet(file, Checkout.find());
    }

    @Test
    void shouldAllowAsManyAsThereWere() {
        assertThatCode(() -> ratchet.check("width", offences("pom.xml", 2), "break"))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldRefuseOneMoreWithPlaceAndRemedy() {
        assertThatThrownBy(() -> ratchet.check("width", offences("pom.xml", 3), "break the line"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("width: break the line")
                .hasMessageContaining("pom.xml:3: too wide")
                .hasMessageContaining("may hold 2 of these 3");
    }

    @Test
    void shouldRefuseTheFirstInAFileThatHadNone() {
        assertThatThrownBy(() -> ratchet.check("width", offences("mvnw", 1), "break"))
                .hasMessageContaining("mvnw:1: too wide");
    }

    @Test
    void shouldFollowAFileThatMoved() {
        assertThatCode(() -> ratchet.check("width", offences("here/now/Moved.java", 3), "break"))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> ratchet.check("width", offences("here/now/Moved.java", 4), "break"))
                .isInstanceOf(AssertionError.class);
    }

    private static List<Offence> offences(String path, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(line -> new Offence("width", path, line, "too wide"))
                .toList();
    }
}
