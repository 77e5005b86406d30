package io.sealbook.consensus.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.config.Member;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where commands take the configuration from when the member's node does not answer. */
@Timeout(120)
class PresentTermsTest {
    private static final String HOST = "127.0.0.1";
    private static final int NODES = 4;
    private static final int PORTS_PER_NODE = 10;
    private static final long TIMEOUT_MS = 300;

    @TempDir
    private Path directory;

    @Test
    void shouldTakeTheGenesisFileOnlyIfNoNodeRuns() throws Exception {
        try (PortBlock ports = PortBlock.take(NODES * PORTS_PER_NODE)) {
            write(ports);
            NodeDirectory files = new NodeDirectory(directory.resolve("node0"));
            Member member = Member.read(files);
            PresentTerms terms = PresentTerms.of(files.root(), member, TIMEOUT_MS);
            Node node = member.genesis().genesis().getNodes(0);

            assertThat(terms.get()).isEqualTo(member.genesis().genesis());
            try (ServerSocket rude =
                    new ServerSocket(node.getGatewayPort(), 1, InetAddress.getByName(node.getHost()))) {
                Thread closing = Thread.ofVirtual().start(() -> closeAll(rude));
                assertThatThrownBy(terms::get).isInstanceOf(OperatingFailureException.class);
                rude.close();
                closing.join();
            }
            try (ServerSocket silent =
                    new ServerSocket(node.getGatewayPort(), 1, InetAddress.getByName(node.getHost()))) {
                assertThat(silent.isBound()).isTrue();
                assertThatThrownBy(terms::get)
                        .isInstanceOf(OperatingFailureException.class)
                        .hasMessageContaining("no terms from " + HOST + ":" + node.getGatewayPort());
            }
            assertThat(terms.get()).isEqualTo(member.genesis().genesis());
        }
    }

    /** As a port does that is full. */
    private static void closeAll(ServerSocket port) {
        try {
            while (true) {
                port.accept().close();
            }
        } catch (IOException e) {
            // The port is closed.
        }
    }

    private void write(PortBlock ports) throws Exception {
        TestnetPlan plan = new TestnetPlan(
                4711,
                List.of(HOST),
                NODES,
                ports.base(),
                PORTS_PER_NODE,
                HOST,
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.ECDSA_SECP256K1_SHA256),
                List.of(),
                List.of(InstrumentSpec.parse("1:TEST:2:1:200000:1000000")),
                Parameters.getDefaultInstance(),
                false,
                List.of());
        new TestnetWriter(directory, plan).write(false);
    }
}
