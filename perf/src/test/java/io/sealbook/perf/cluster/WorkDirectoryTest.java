package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
    @TempDir
    private Path parent;

    private Path directory;
    private Path archive;

    @BeforeEach
    void choose() {
        directory = parent.resolve("cluster");
        archive = directory.resolve("node0/archive");
    }

    @Test
    void shouldDeleteWhatItsOwnProcessLeft() throws IOException {
        WorkDirectory.empty(directory);
        Files.createDirectories(archive);
        WorkDirectory.empty(directory.resolve("1"));
        Files.createFile(directory.resolve("1/file"));

        WorkDirectory.empty(directory);

        assertThat(directory.resolve("node0")).doesNotExist();
        assertThat(directory.resolve("1")).doesNotExist();
        WorkDirectory.empty(directory.resolve("1"));
        assertThat(directory.resolve("1/file")).doesNotExist();
    }

    @Test
    void shouldRefuseADirectoryOfOthers() throws IOException {
        Path other = Files.createFile(parent.resolve("other"));

        assertThatIOException()
                .isThrownBy(() -> WorkDirectory.empty(parent))
                .withMessage(parent + " holds files that no earlier run has made; choose another directory");
        assertThat(other).exists();
    }

    @Test
    void shouldRefuseADirectoryThatAnotherProgramHasEmptied() throws Exception {
        Process program = start("empty", directory);
        try {
            Files.createDirectories(archive);

            assertThatIOException()
                    .isThrownBy(() -> WorkDirectory.empty(directory))
                    .withMessageStartingWith(directory + " is in use: another process holds ");
            assertThat(archive).exists();
        } finally {
            program.destroyForcibly().waitFor();
        }
        WorkDirectory.empty(directory);
        assertThat(archive).doesNotExist();
    }

    /** A program that SIGKILL ends leaves its nodes behind. */
    @Test
    void shouldRefuseADirectoryInWhichANodeStillRuns() throws Exception {
        start("empty", directory).destroyForcibly().waitFor();
        Files.createDirectories(archive);
        Process node = start("lock", archive.resolve("archive.lock"));
        try {
            assertThatIOException()
                    .isThrownBy(() -> WorkDirectory.empty(directory))
                    .withMessageContaining("node0/archive/archive.lock");
            assertThat(archive).exists();
        } finally {
            node.destroyForcibly().waitFor();
        }
        WorkDirectory.empty(directory);
        assertThat(archive).doesNotExist();
    }

    /** Starts a process that empties a directory, or locks a file, and waits until it has done so. */
    private static Process start(String action, Path path) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        action,
                        path.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("held");
        return process;
    }

    /** Another process. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] arguments) throws IOException {
            Path path = Path.of(arguments[1]);
            if (arguments[0].equals("empty")) {
                WorkDirectory.empty(path);
            } else {
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                        .lock();
            }
            System.out.println("held");
            // The test ends this process; without the test its end of input does.
            System.in.read();
        }
    }
}
