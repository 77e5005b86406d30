package io.sealbook.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.facts.ForcedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("settings");
    }

    @Test
    void shouldMakeAndReplaceAFile() throws IOException {
        for (String text : new String[] {"some bytes", "", "more", "x"}) {
            WholeFile.replace(file, bytes(text));

            assertThat(file).hasContent(text);
            assertThat(names()).containsExactly("settings");
        }
    }

    /** A crash leaves what was not finished; it is written over. */
    @Test
    void shouldTakeNothingOfAnUnfinishedFile() throws IOException {
        Files.writeString(WholeFile.unfinished(file), "a longer text of an earlier process");

        WholeFile.replace(file, bytes("new"));

        assertThat(file).hasContent("new");
        assertThat(names()).containsExactly("settings");
    }

    @Test
    void shouldForceTheBytesBeforeTheirName() throws Exception {
        assertThat(ForcedFiles.below(directory, () -> WholeFile.replace(file, bytes("new"))))
                .containsExactly(WholeFile.unfinished(file), directory);
    }

    @Test
    void shouldKeepTheOldBytesIfTheNewOnesCannotBeWritten() throws IOException {
        Files.writeString(file, "old");
        Files.createDirectory(WholeFile.unfinished(file));

        assertThatThrownBy(() -> WholeFile.replace(file, bytes("new"))).isInstanceOf(IOException.class);

        assertThat(file).hasContent("old");
    }

    @Test
    void shouldHaveTheModeOfTheUnfinishedFile() throws IOException {
        Path unfinished = directory.resolve("beside");
        Files.writeString(file, "old");
        Files.createFile(
                unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));

        WholeFile.replace(file, unfinished, bytes("new"));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(names()).containsExactly("settings");
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).toList();
        }
    }
}
