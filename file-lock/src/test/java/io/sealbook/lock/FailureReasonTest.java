package io.sealbook.lock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureReasonTest {
    private static final String PATH = "d/node.key";

    @Test
    void shouldNameTheReasonThatOnlyTheClassHas() {
        assertThat(FailureReason.of(new NoSuchFileException(PATH))).isEqualTo("there is no file d/node.key");
        assertThat(FailureReason.of(new AccessDeniedException(PATH)))
                .isEqualTo("user " + System.getProperty("user.name") + " has no access to d/node.key");
        assertThat(FailureReason.of(new FileAlreadyExistsException(PATH))).isEqualTo("d/node.key exists");
        assertThat(FailureReason.of(new NotDirectoryException(PATH))).isEqualTo("d/node.key is no directory");
        assertThat(FailureReason.of(new DirectoryNotEmptyException(PATH))).isEqualTo("d/node.key is not empty");
        assertThat(FailureReason.of(new FileSystemLoopException(PATH)))
                .isEqualTo("FileSystemLoopException: d/node.key");
        assertThat(FailureReason.of(new NoSuchFileException(PATH, "d/new", null)))
                .isEqualTo("there is no file d/node.key -> d/new");
    }

    @Test
    void shouldNameAFileThatIsNotThere(@TempDir Path empty) {
        Path absent = empty.resolve("genesis.json");

        try {
            Files.readAllBytes(absent);
        } catch (IOException e) {
            assertThat(FailureReason.of(e)).isEqualTo("there is no file " + absent);
            assertThat(FailureReason.of(new UncheckedIOException(e))).isEqualTo("there is no file " + absent);
        }
        assertThat(absent).doesNotExist();
    }

    @Test
    void shouldKeepAMessageThatNamesTheReason() {
        assertThat(FailureReason.of(new FileSystemException(PATH, null, "No space left on device")))
                .isEqualTo("d/node.key: No space left on device");
        assertThat(FailureReason.of(new UncheckedIOException("block 3", new NoSuchFileException(PATH))))
                .isEqualTo("block 3");
        assertThat(FailureReason.of(new IllegalStateException("closed"))).isEqualTo("closed");
        assertThat(FailureReason.of(new IllegalStateException())).isEqualTo("java.lang.IllegalStateException");
    }
}
