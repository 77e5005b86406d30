package io.sealbook.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.process.OtherProcess;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A refused attempt leaves the lock to its holder, as other processes see it. */
class LockFileTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void setUp() {
        file = directory.resolve("lock");
    }

    @Test
    void shouldKeepAnotherProcessOutAfterARefusalInThisOne() throws Exception {
        try (LockFile lock = LockFile.take(file)) {
            assertThat(lock).isNotNull();
            assertThatThrownBy(() -> LockFile.take(file))
                    .isInstanceOfSatisfying(
                            FileInUseException.class,
                            e -> assertThat(e.isOfThisProcess()).isTrue())
                    .hasMessageContaining(file.toString());
            assertThat(LockFile.isHeld(file)).isTrue();

            assertThat(OtherProcess.canLock(file)).isFalse();
        }
        assertThat(OtherProcess.canLock(file)).isTrue();
        assertThat(LockFile.isHeld(file)).isFalse();
        LockFile.take(file).close();
    }

    @Test
    void shouldKnowAFileByAllItsNames() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), file);
        Path other = Files.createSymbolicLink(directory.resolve("other"), directory);
        try (LockFile lock = LockFile.take(file)) {
            assertThat(lock).isNotNull();
            for (Path name : new Path[] {
                link, other.resolve("lock"), directory.resolve(".").resolve("lock")
            }) {
                assertThatThrownBy(() -> LockFile.take(name)).isInstanceOf(FileInUseException.class);
            }
            assertThat(OtherProcess.canLock(file)).isFalse();
        }
    }

    /** As code of another class loader does, which has the class and its memory again. */
    @Test
    void shouldLeaveALockToOtherCodeOfTheProcess() throws Exception {
        try (FileChannel other = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(other.tryLock()).isNotNull();
            assertThatThrownBy(() -> LockFile.take(file))
                    .isInstanceOfSatisfying(
                            FileInUseException.class,
                            e -> assertThat(e.isOfThisProcess()).isTrue());
            assertThat(LockFile.isHeld(file)).isTrue();

            assertThat(OtherProcess.canLock(file)).isFalse();
        }
    }

    @Test
    void shouldLeaveAFileToItsReadersIfTheLockIsBesideIt() throws Exception {
        Files.writeString(file, "data");
        try (LockFile lock = LockFile.takeBeside(file)) {
            assertThat(lock).isNotNull();
            assertThat(Files.readString(file)).isEqualTo("data");
            assertThatThrownBy(() -> LockFile.takeBeside(file)).isInstanceOf(FileInUseException.class);

            assertThat(OtherProcess.canLock(directory.resolve("lock.lock"))).isFalse();
        }
    }

    @Test
    void shouldReleaseOnceAndTakeAgain() throws IOException {
        LockFile first = LockFile.take(file);
        first.close();
        try (LockFile second = LockFile.take(file)) {
            first.close();
            assertThat(second).isNotNull();
            assertThatThrownBy(() -> LockFile.take(file)).isInstanceOf(FileInUseException.class);
        }
    }
}
