package io.sealbook.consensus.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.ceremony.CeremonyFile;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of JSON that hold something else, even bytes that are no text. */
class DamagedFilesTest {
    private static final byte[] NO_TEXT = {'{', (byte) 0xC3, (byte) 0x28, '}'};

    @TempDir
    Path directory;

    /** The addresses come back from the other nodes: a damaged file must not keep a node from its start. */
    @Test
    void shouldKnowNothingFromADamagedFileOfNodes() throws IOException {
        Path file = directory.resolve("known-nodes.json");
        List<Node> otherwise = List.of(Node.newBuilder().setNodeId(3).build());
        for (byte[] content : List.of(
                NO_TEXT,
                "[]".getBytes(StandardCharsets.UTF_8),
                new byte[0],
                "{\"nodes\": 7}".getBytes(StandardCharsets.UTF_8))) {
            Files.write(file, content);

            assertThat(KnownNodesFile.present(file, 1, otherwise)).isEqualTo(otherwise);
        }
    }

    @Test
    void shouldNameAFileOfACeremonyThatIsNoText() throws IOException {
        Path file = directory.resolve("contribution.json");
        Files.write(file, NO_TEXT);

        assertThatThrownBy(() -> CeremonyFile.readContribution(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no contribution");
    }
}
