package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    void shouldRememberTheLastSequence() {
        for (long sequence = 1; sequence <= 5; sequence++) {
            try (FileCheckpointer checkpointer = FileCheckpointer.open(file())) {
                assertThat(checkpointer.lastHandled()).isEqualTo(sequence - 1);
                checkpointer.handled(sequence);
                checkpointer.force();
            }
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

    private Path file() {
        return directory.resolve("reports.checkpoint");
    }
}
