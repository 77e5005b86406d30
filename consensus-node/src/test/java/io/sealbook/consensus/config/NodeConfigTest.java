package io.sealbook.consensus.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sealbook.commandline.FailureText;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.peer.PeerConfig;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeConfigTest {
    @Test
    void shouldFillInDefaults() {
        NodeConfig config = NodeConfig.of(properties("node-id", "2"));

        assertThat(config.nodeId()).isEqualTo(2);
        assertThat(config.durability()).isEqualTo(Durability.PROCESS);
        assertThat(config.stageThreads()).isEqualTo(StageThreads.AUTO);
        assertThat(config.experiment()).isEqualTo(ExperimentConfig.PRODUCTION);
        assertThat(config.ingress().ringWait()).isEqualTo(RingWait.BLOCKING);
    }

    @Test
    void shouldNameTheFileThatIsMissing(@TempDir Path empty) {
        assertThatThrownBy(() -> NodeConfig.read(new NodeDirectory(empty)))
                .isInstanceOf(NoSuchFileException.class)
                .extracting(FailureText::of)
                .isEqualTo("there is no file " + empty.resolve("node.properties"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node_0", "<", "a b"})
    void shouldRefuseAHostToWhichNoChannelCanBeBuilt(String host) {
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "address.host", host)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("address.host=" + host + " is no name or IP address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bind-address", "admin-address"})
    void shouldRefusePlainPortsThatOtherMachinesReach(String key) {
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "tls", "off", key, "0.0.0.0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tls=off")
                .hasMessageContaining("'0.0.0.0'");
        assertThat(NodeConfig.of(properties("node-id", "0", key, "0.0.0.0"))
                        .network()
                        .tls()
                        .isRequired())
                .isTrue();
    }

    @Test
    void shouldReadEveryChoice() {
        NodeConfig config = NodeConfig.of(properties(
                "node-id",
                "0",
                "durability",
                "disk",
                "stage-threads",
                "shared",
                "laboratory",
                "true",
                "experiment.threads",
                "one",
                "experiment.offload",
                "agent",
                "ring-wait",
                "busy-spin",
                "experiment.payload-route",
                "primary",
                "experiment.decoding",
                "every-stage",
                "experiment.verify-batch-max",
                "1",
                "experiment.execution",
                "in-process",
                "experiment.engine",
                "toy",
                "experiment.engine.loops",
                "7"));

        assertThat(config.durability()).isEqualTo(Durability.DISK);
        assertThat(config.stageThreads()).isEqualTo(StageThreads.SHARED);
        assertThat(config.experiment())
                .isEqualTo(new ExperimentConfig(
                        true,
                        PayloadRoute.PRIMARY,
                        HeaderDecoding.Policy.EVERY_STAGE,
                        PeerConfig.Offload.AGENT,
                        ThreadLayout.ONE,
                        1,
                        new ExecutionConfig(ExecutionMode.IN_PROCESS, "toy", Map.of("loops", "7"))));
        assertThat(config.ingress().ringWait()).isEqualTo(RingWait.BUSY_SPIN);
    }

    @Test
    void shouldNameTheFactThatFailed() {
        assertThatThrownBy(() -> NodeConfig.of(new Properties())).hasMessageContaining("node-id is missing");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "ring-size", "1000")))
                .hasMessageContaining("ring-size=1000 is not a power of two");
        assertThatThrownBy(() ->
                        NodeConfig.of(properties("node-id", "0", "ring-size", "64", "submit-in-flight-max", "17")))
                .hasMessageContaining("submit-in-flight-max=17 is not 1..a quarter of ring-size (16)");
        assertThatThrownBy(() -> NodeConfig.of(
                        properties("node-id", "0", "laboratory", "true", "experiment.verify-batch-max", "65537")))
                .hasMessageContaining("experiment.verify-batch-max=65537 is not 1..65536");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "laboratory", "yes")))
                .hasMessageContaining("laboratory=yes is none of [true, false]");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "durability", "maybe")))
                .hasMessageContaining("durability=maybe is none of [process, disk]");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "verify-lane", "2")))
                .hasMessageContaining("unknown keys [verify-lane]");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "verify-wait-us", "100001")))
                .hasMessageContaining("verify-wait-us=100001 is not 0..100000");
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "admin-port", "x")))
                .hasMessageContaining("admin-port=x is not a whole number");
    }

    @ParameterizedTest
    @CsvSource({
        "threads, two",
        "offload, event-loop",
        "payload-route, direct",
        "verify-batch-max, 64",
        "execution, separated"
    })
    void shouldRefuseExperimentsInProductionThoughTheyChangeNothing(String key, String value) {
        String now = "experiment." + key;

        for (String laboratory : new String[] {null, "false"}) {
            Properties properties = properties("node-id", "0", now, value);
            if (laboratory != null) {
                properties.setProperty("laboratory", laboratory);
            }
            assertThatThrownBy(() -> NodeConfig.of(properties))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("node.properties: [" + now + "] are settings of laboratories; a node in production has"
                            + " none. laboratory=true declares a laboratory");
        }
        assertThat(NodeConfig.of(properties("node-id", "0", "laboratory", "true", now, value))
                        .experiment()
                        .isLaboratory())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "offload", "payload-route", "verify-batch-max"})
    void shouldNameTheKeyThatReplacesAFormerOne(String former) {
        assertThatThrownBy(() -> NodeConfig.of(properties("node-id", "0", "laboratory", "true", former, "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("node.properties: " + former + " is experiment." + former
                        + " now, a setting of laboratories (laboratory=true)");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "inline, -, -",
                "in-process, -, -",
                "separated, toy, -",
                "separated, -, 7",
            })
    void shouldRefuseAnEngineThatDoesNotFitTheExecution(String execution, String engine, String loops) {
        Properties properties = properties("node-id", "0", "laboratory", "true", "experiment.execution", execution);
        if (engine != null) {
            properties.setProperty("experiment.engine", engine);
        }
        if (loops != null) {
            properties.setProperty("experiment.engine.loops", loops);
        }
        assertThatThrownBy(() -> NodeConfig.of(properties))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("experiment.engine");
    }

    @Test
    void shouldRefuseAMisspeltExperiment() {
        assertThatThrownBy(() ->
                        NodeConfig.of(properties("node-id", "0", "laboratory", "true", "experiment.thread", "one")))
                .hasMessageContaining("unknown keys [experiment.thread]");
    }

    @Test
    void shouldDescribeEveryKeyInTheManual() throws IOException {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        String manual = Files.readString(root.resolve("docs/OPERATING.md"));
        String message = catchThrowable(() -> NodeConfig.of(properties("node-id", "0", "none", "1")))
                .getMessage();

        String[] keys = message.replaceAll(".*known are \\[|]$", "").split(", ");

        assertThat(keys)
                .hasSizeGreaterThan(20)
                .allSatisfy(key -> assertThat(manual).contains("`" + key + "`"));
    }

    @Test
    void shouldGiveHalfOfTheCoresToVerification() {
        assertThat(List.of(1, 2, 3, 4, 8, 64, 256)).map(IngressConfig::lanesFor).containsExactly(1, 1, 1, 2, 4, 16, 16);
        assertThat(NodeConfig.of(properties("node-id", "0")).ingress().verifyLanes())
                .isEqualTo(IngressConfig.lanesFor(Runtime.getRuntime().availableProcessors()));
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
