package io.sealbook.consensus.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.VerifierSettings;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.peer.PeerConfig;
import io.sealbook.vocabulary.Durability;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class NodeConfigTest {
    @Test
    void shouldFillInDefaults() {
        NodeConfig config = NodeConfig.of(properties("node-id", "2"));

        assertThat(config.nodeId()).isEqualTo(2);
        assertThat(config.durability()).isEqualTo(Durability.PROCESS);
        assertThat(config.threads()).isEqualTo(ThreadLayout.TWO);
        assertThat(config.offload()).isEqualTo(PeerConfig.Offload.EVENT_LOOP);
        assertThat(config.payloadRoute()).isEqualTo(PayloadRoute.DIRECT);
        assertThat(config.ingress().verifyBatchMax()).isEqualTo(64);
        assertThat(config.ingress().ringWait()).isEqualTo(RingWait.BLOCKING);
    }

    @Test
    void shouldReadEveryChoice() {
        NodeConfig config = NodeConfig.of(properties(
                "node-id",
                "0",
                "durability",
                "disk",
                "threads",
                "one",
                "offload",
                "agent",
                "ring-wait",
                "busy-spin",
                "payload-route",
                "primary",
                "verify-batch-max",
                "1"));

        assertThat(config.durability()).isEqualTo(Durability.DISK);
        assertThat(config.threads()).isEqualTo(ThreadLayout.ONE);
        assertThat(config.offload()).isEqualTo(PeerConfig.Offload.AGENT);
        assertThat(config.payloadRoute()).isEqualTo(PayloadRoute.PRIMARY);
        assertThat(config.ingress().verifyBatchMax()).isEqualTo(1);
        assertThat(config.ingress().ringWait()).isEqualTo(RingWait.BUSY_SPIN);
    }

    @Test
    void shouldNameTheFactThatFailed() {
        assertThatThrownBy(() -> NodeConfig.of(new Properties())).hasMessageContaining("node-id is missing");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "ring-size", "1000")))
                .hasMessageContaining("ring-size=1000 is not a power of two");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "verify-batch-max", "65")))
                .hasMessageContaining("verify-batch-max=65 is not 1..64");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "durability", "maybe")))
                .hasMessageContaining("durability=maybe is none of [process, disk]");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "verify-lane", "2")))
                .hasMessageContaining("unknown keys [verify-lane]");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "admin-port", "x")))
                .hasMessageContaining("admin-port=x is not a whole number");
    }

    @Test
    void shouldHandVerifierSettingsOn() {
        NodeConfig config = NodeConfig.of(properties(
                "node-id", "0", "verifier", "jni", "verifier.jni.tables-mib", " 16 ", "verifier.gpu.lane-count", "2"));

        assertThat(config.ingress().verifier())
                .isEqualTo(new VerifierSettings("jni", Map.of("jni.tables-mib", "16", "gpu.lane-count", "2")));
        assertThat(NodeConfig.of(properties("node-id", "0")).ingress().verifier())
                .isEqualTo(VerifierSettings.best());
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "verifier.tables", "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("node.properties: verifier.tables names no provider");
    }

    private static Properties properties(String... pairs) {
        Properties properties = new Properties();
        for (int i = 0; i < pairs.length; i += 2) {
            properties.setProperty(pairs[i], pairs[i + 1]);
        }
        return properties;
    }
}
