package io.sealbook.archive.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.process.OtherProcess;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStorageTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadWhatWasWrittenWithZerosInTheGap() {
        try (Storage storage = FileStorage.open(directory);
                StoredFile file = storage.create("a")) {
            file.write(bytes("xyz"), 4);

            assertThat(file.length()).isEqualTo(7);
            assertThat(text(file, 0, 7)).isEqualTo("\0\0\0\0xyz");
        }
    }

    @Test
    void shouldReadFewerBytesAtTheEnd() {
        try (Storage storage = FileStorage.open(directory);
                StoredFile file = storage.create("a")) {
            file.write(bytes("xyz"), 0);

            assertThat(text(file, 1, 9)).isEqualTo("yz");
            assertThat(text(file, 9, 9)).isEmpty();
        }
    }

    @Test
    void shouldCutAndNotExtend() {
        try (Storage storage = FileStorage.open(directory);
                StoredFile file = storage.create("a")) {
            file.write(bytes("xyz"), 0);
            file.truncate(9);
            assertThat(file.length()).isEqualTo(3);

            file.truncate(1);
            assertThat(text(file, 0, 9)).isEqualTo("x");
        }
    }

    @Test
    void shouldNameFilesInOrderAndKeepItsLockToItself() {
        try (Storage storage = FileStorage.open(directory)) {
            storage.create("b").close();
            storage.create("a").close();
            storage.create("c").close();
            storage.rename("b", "d");
            storage.delete("c");
            storage.delete("never");
            storage.syncNames();

            assertThat(storage.names()).containsExactly("a", "d");
        }
    }

    @Test
    void shouldKeepContentOverReopening() {
        try (Storage storage = FileStorage.open(directory);
                StoredFile file = storage.create("a")) {
            file.write(bytes("xyz"), 0);
            file.sync(true);
        }

        try (Storage storage = FileStorage.open(directory);
                StoredFile file = storage.open("a")) {
            assertThat(text(file, 0, 3)).isEqualTo("xyz");
        }
    }

    @Test
    void shouldBeginAnEmptyFileInPlaceOfOneOfThatName() {
        try (Storage storage = FileStorage.open(directory)) {
            try (StoredFile file = storage.create("a")) {
                file.write(bytes("xyz"), 0);
            }
            try (StoredFile file = storage.create("a")) {
                assertThat(file.length()).isZero();
            }
        }
    }

    @Test
    void shouldRefuseADirectoryThatIsInUse() throws Exception {
        try (Storage storage = FileStorage.open(directory)) {
            assertThat(storage.names()).isEmpty();
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> FileStorage.open(directory))
                    .withMessageContaining("in use");
            assertThat(OtherProcess.canLock(directory.resolve("lock"))).isFalse();
        }
    }

    @Test
    void shouldNameTheFileThatIsNotThere() {
        try (Storage storage = FileStorage.open(directory)) {
            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> storage.open("absent"))
                    .withMessageContaining("absent");
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static String text(StoredFile file, long offset, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        file.read(into, offset);
        return StandardCharsets.US_ASCII.decode(into.flip()).toString();
    }
}
