package io.sealbook.engine.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.process.OtherProcess;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One engine runs on a directory, whoever has tried before. */
class DirectoryLockTest {
    @TempDir
    Path directory;

    @Test
    void shouldKeepAnotherProcessOutAfterARefusalInThisOne() throws Exception {
        EngineDirectory files = new EngineDirectory(directory);
        try (DirectoryLock lock = DirectoryLock.acquire(files)) {
            assertThat(lock.directory()).isEqualTo(files);
            assertThatThrownBy(() -> DirectoryLock.acquire(files))
                    .isInstanceOf(OperatingFailureException.class)
                    .hasMessageContaining("another engine runs on " + directory);

            assertThat(OtherProcess.canLock(directory.resolve("engine").resolve("lock")))
                    .isFalse();
        }
        DirectoryLock.acquire(files).close();
    }
}
