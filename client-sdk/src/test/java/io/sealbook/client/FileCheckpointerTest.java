package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCheckpointerTest {
    @TempDir
    Path directory;

    @Test
    void shouldStartAtZero() {
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            assertThat(checkpointer.lastHandled()).isZero();
        }
    }

    @Test
    void shouldNameTheReasonThatAPathIsNot() {
        Path file = directory.resolve("missing").resolve("reports.checkpoint");

        assertThatThrownBy(() -> FileCheckpointer.open(file))
                .hasMessage("checkpoint " + file + " cannot be opened: there is no file " + file);
    }

    @Test
    void shouldRememberTheLastSequence() {
        for (long sequence = 1; sequence <= 5; sequence++) {
            try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
                assertThat(checkpointer.lastHandled()).isEqualTo(sequence - 1);
                checkpointer.handled(sequence);
                checkpointer.force();
            }
        }
    }

    /** The lock beside the file has another name for each of them. */
    @Test
    void shouldKnowTheFileByItsOtherNames() throws IOException {
        Path link = directory.resolve("link");
        Files.createSymbolicLink(link, directory.resolve("later"));
        Path hard = directory.resolve("hard");
        try (FileCheckpointer first = FileCheckpointer.open(link)) {
            first.handled(3);
            assertThatThrownBy(() -> FileCheckpointer.open(link)).hasMessageContaining("has it open");
            assertThatThrownBy(() -> FileCheckpointer.open(directory.resolve("later")))
                    .hasMessageContaining("has it open");
            Files.createLink(hard, directory.resolve("later"));
            assertThatThrownBy(() -> FileCheckpointer.open(hard)).hasMessageContaining("has it open");
        }
        try (FileCheckpointer later = FileCheckpointer.open(hard)) {
            assertThat(later.lastHandled()).isEqualTo(3);
        }
    }

    @Test
    void shouldNotGoBackForALateReport() {
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.handled(8);
            checkpointer.handled(9);
            checkpointer.handled(7);
            checkpointer.handled(6);
            assertThat(checkpointer.lastHandled()).isEqualTo(9);
        }

        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            assertThat(checkpointer.lastHandled()).isEqualTo(9);
        }
    }

    @Test
    void shouldFallBackToTheOtherSlotAfterATornWrite() throws IOException {
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.handled(8);
            checkpointer.handled(9);
        }
        byte[] bytes = Files.readAllBytes(file());
        bytes[16] ^= 1;
        Files.write(file(), bytes);

        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            assertThat(checkpointer.lastHandled()).isEqualTo(8);
        }
    }

    @Test
    void shouldTakeAFileThatWasCutShortAsItIs() throws IOException {
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.handled(8);
            checkpointer.handled(9);
        }
        byte[] bytes = Files.readAllBytes(file());
        Files.write(file(), java.util.Arrays.copyOf(bytes, 20));

        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            assertThat(checkpointer.lastHandled()).isEqualTo(8);
        }
    }

    @Test
    void shouldRefuseAnotherChainAndAnotherBroker() {
        Digest genesis = Digest.sha256(new byte[] {1});
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.bind(genesis, 7);
            checkpointer.handled(8);
            checkpointer.handled(9);
        }

        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.bind(genesis, 7);
            assertThat(checkpointer.lastHandled()).isEqualTo(9);
            assertThatThrownBy(() -> checkpointer.bind(genesis, 8))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("belongs to broker 7");
            assertThatThrownBy(() -> checkpointer.bind(Digest.sha256(new byte[] {2}), 7))
                    .hasMessageContaining(genesis.toString());
        }
    }

    @Test
    void shouldHaveAFileForItself() throws Exception {
        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            checkpointer.handled(8);

            assertThatThrownBy(() -> FileCheckpointer.open(file()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("this process");
            checkpointer.handled(9);
            assertThat(Files.size(Files.copy(file(), directory.resolve("copy"))))
                    .isPositive();

            Process other = holder();
            try (BufferedReader lines = other.inputReader()) {
                assertThat(lines.readLine()).as("what a second process prints").isNull();
            } finally {
                other.destroyForcibly().waitFor();
            }
        }

        try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
            assertThat(checkpointer.lastHandled()).isEqualTo(9);
        }
    }

    @Test
    void shouldRefuseAFileThatAnotherProcessHas() throws Exception {
        Process other = holder();
        try (BufferedReader lines = other.inputReader()) {
            assertThat(lines.readLine()).isEqualTo("open");

            assertThatThrownBy(() -> FileCheckpointer.open(file()))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("another process");
        } finally {
            other.destroyForcibly().waitFor();
        }
        FileCheckpointer.open(file()).close();
    }

    private Process holder() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        file().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Has a checkpoint until it is killed. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws InterruptedException {
            try (FileCheckpointer checkpointer = FileCheckpointer.open(Path.of(args[0]))) {
                System.out.println("open");
                new CountDownLatch(1).await();
                checkpointer.force();
            }
        }
    }

    private Path file() {
        return directory.resolve("reports.checkpoint");
    }
}
