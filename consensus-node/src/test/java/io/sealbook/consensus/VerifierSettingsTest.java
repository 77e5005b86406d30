package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.consensus.config.ConfigException;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.ports.PortBlock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of verifiers reach the providers that a node has on its class path, before the node takes a port. */
class VerifierSettingsTest {
    @TempDir
    Path directory;

    @Test
    void shouldNotStartWithSettingsThatItsProvidersRefuse() throws Exception {
        assertRefused("verifier.jni.tables-mib=many", "verifier.jni.tables-mib=many is not a whole number");
        assertRefused("verifier.gpu.block-size=100", "verifier.gpu.block-size=100 is not a multiple of 32 in 32..256");
        assertRefused("verifier.gpu.lanes=2", "unknown keys [lanes] in verifier.gpu.*, known are [answer-timeout-ms, ");
        assertRefused("verifier.abacus.lanes=2", "verifier.abacus.lanes names none of the providers [");
        assertRefused("verifier=abacus", "no verifier for provider abacus: ");
    }

    private void assertRefused(String line, String message) throws Exception {
        Path net = directory.resolve(line.replaceAll("\\W", "-"));
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestCluster.write(net, ports, UnaryOperator.identity(), line);
            List<Throwable> failures = new ArrayList<>();

            assertThatThrownBy(() -> ConsensusNode.open(
                            new NodeDirectory(net.resolve("net").resolve("node0")), StartOptions.NONE, failures::add))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("node.properties: " + message);
            assertThat(failures).isEmpty();
        }
    }
}
