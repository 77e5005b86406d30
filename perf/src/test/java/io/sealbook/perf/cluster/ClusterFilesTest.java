package io.sealbook.perf.cluster;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.tool.TestnetCommand;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ClusterFilesTest {
    private static final int NODES = 4;
    private static final int PORTS_PER_NODE = 10;
    private static final int USED_PORTS = 6;

    @TempDir
    private Path directory;

    /** Those of the admin port and the console as well, which no genesis file names. */
    @Test
    void shouldNameEachPortThatIsTaken() throws Exception {
        PortBlock block = PortBlock.take(NODES * PORTS_PER_NODE);
        int base = block.base();
        new CommandLine(new TestnetCommand()).execute("--dir=" + directory, "--base-port=" + base);
        GenesisFile genesis = GenesisFile.parse(Files.readAllBytes(directory.resolve("genesis.json")));
        assertThatCode(() -> ClusterFiles.checkPortsFree(genesis)).doesNotThrowAnyException();

        for (int use = 0; use < USED_PORTS; use++) {
            int port = base + PORTS_PER_NODE + use;
            try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThatThrownBy(() -> ClusterFiles.checkPortsFree(genesis))
                        .as("port %d", taken.getLocalPort())
                        .hasMessageContaining("port " + port + " of node 1 is taken");
            }
        }
        block.close();
    }
}
