package io.sealbook.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.config.FollowerConfig;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.tool.TestnetCommand;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The compose file against the poms, and against the cluster that its own testnet command writes. */
class ComposeTest {
    private static final String VOLUME = "/cluster";

    @TempDir
    static Path cluster;

    private static final Compose COMPOSE = Compose.read();
    private static Genesis genesis;

    @BeforeAll
    static void writeCluster() throws Exception {
        List<String> arguments = new ArrayList<>(COMPOSE.command("testnet"));
        assertThat(arguments.removeFirst()).isEqualTo("testnet");
        arguments.replaceAll(argument -> argument.replace(VOLUME, cluster.toString()));

        assertThat(new CommandLine(new TestnetCommand()).execute(arguments.toArray(new String[0])))
                .isZero();
        genesis = new NodeDirectory(cluster.resolve("node0")).readGenesis().genesis();
    }

    private static IntStream nodes() {
        return IntStream.range(0, genesis.getNodesCount());
    }

    @Test
    void shouldHaveServiceForEachNodeAndItsEngine() {
        assertThat(genesis.getNodesCount()).isEqualTo(4);
        List<String> expected =
                new ArrayList<>(List.of("testnet", "prometheus", "grafana", "follower0", "follower-engine0"));
        expected.add("follower-machine0");
        nodes().forEach(i -> expected.addAll(List.of("machine" + i, "node" + i, "engine" + i)));

        assertThat(COMPOSE.names()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void shouldStartEachNodeAndEngineOnItsDirectoryInTheSharedVolume() {
        nodes().forEach(i -> {
            for (String service : List.of("node" + i, "engine" + i)) {
                assertThat(COMPOSE.command(service)).containsExactly("start", VOLUME + "/node" + i);
                assertThat(Compose.strings(COMPOSE.service(service).get("volumes")))
                        .containsExactly("cluster:" + VOLUME);
                assertThatItIsOn("machine" + i, service);
            }
            assertThat(cluster.resolve("node" + i)).isDirectory();
        });
    }

    /** Brokers find both under one name, and Chronicle sees whether the process that holds a lock is alive. */
    private static void assertThatItIsOn(String machine, String service) {
        assertThat(COMPOSE.service(service))
                .containsEntry("network_mode", "service:" + machine)
                .containsEntry("pid", "service:" + machine)
                .doesNotContainKeys("ports", "hostname", "networks");
        assertThat(COMPOSE.dependencies(service)).contains(machine);
    }

    /**
     * The kernel kills a process whose process ids end with another container, and Docker does not start one that joins
     * a container which is just restarting. So what is joined must not end.
     */
    @Test
    void shouldJoinOnlyServicesThatDoNotEndByThemselves() {
        for (String service : COMPOSE.names()) {
            for (String namespace : List.of("network_mode", "pid", "ipc")) {
                if (COMPOSE.service(service).containsKey(namespace)) {
                    String joined = (String) COMPOSE.service(service).get(namespace);
                    assertThat(joined).startsWith("service:");
                    assertThat(COMPOSE.service(joined.substring("service:".length())))
                            .as("what %s joins", service)
                            .containsEntry("entrypoint", List.of("sleep", "infinity"))
                            .containsEntry("restart", "no")
                            // It reaps the processes of others and ends at SIGTERM.
                            .containsEntry("init", true)
                            .doesNotContainKeys("command", "network_mode", "pid", "ipc");
                }
            }
        }
    }

    /** After most exit codes somebody must act first; after 70 one start is right. */
    @Test
    void shouldStartAProcessAgainOnceAfterAFailure() {
        List<String> processes = COMPOSE.names().stream()
                .filter(service -> service.matches("(node|engine|follower|follower-engine)\\d"))
                .toList();

        assertThat(processes).hasSize(10);
        for (String service : processes) {
            assertThat(COMPOSE.service(service)).as(service).containsEntry("restart", "on-failure:1");
        }
    }

    @Test
    void shouldPublishThePortsThatTheClusterUsesUnderTheNamesThatTheGenesisFileHas() throws Exception {
        for (int i = 0; i < genesis.getNodesCount(); i++) {
            Node node = genesis.getNodes(i);
            NodeConfig config = NodeConfig.read(new NodeDirectory(cluster.resolve("node" + i)));
            List<String> expected = List.of(
                    Integer.toString(node.getGatewayPort()),
                    Integer.toString(node.getEnginePort()),
                    Integer.toString(config.network().admin().port()),
                    engineProperties(i).getProperty("server.port"));

            assertThat(node.getHost()).isEqualTo("node" + i);
            assertThatItIsKnownAs("node" + i, "machine" + i);
            assertThat(COMPOSE.ports("machine" + i))
                    .allMatch(port -> port.get(0).equals("127.0.0.1"))
                    .allMatch(port -> port.get(1).equals(port.get(2)))
                    .extracting(port -> port.get(2))
                    .containsExactlyElementsOf(expected);
        }
    }

    private static void assertThatItIsKnownAs(String host, String machine) {
        assertThat(COMPOSE.service(machine))
                .containsEntry("hostname", host)
                .containsEntry("networks", Map.of("default", Map.of("aliases", List.of(host))));
    }

    @Test
    void shouldStartTheFollowerAndItsEngineOnTheDirectoryThatTestnetWrites() throws Exception {
        FollowerConfig config = FollowerConfig.read(new NodeDirectory(cluster.resolve("follower0")));
        Properties engine = engineProperties("follower0");

        assertThat(COMPOSE.command("follower0")).containsExactly("follow", VOLUME + "/follower0");
        assertThat(COMPOSE.command("follower-engine0")).containsExactly("start", VOLUME + "/follower0");
        assertThatItIsOn("follower-machine0", "follower0");
        assertThatItIsOn("follower-machine0", "follower-engine0");
        assertThatItIsKnownAs("follower0", "follower-machine0");
        assertThat(COMPOSE.ports("follower-machine0"))
                .extracting(port -> port.get(2))
                .containsExactly(
                        Integer.toString(config.gatewayPort()),
                        engine.getProperty("sealbook.engine.grpc-port"),
                        Integer.toString(config.network().admin().port()),
                        engine.getProperty("server.port"));
        assertThat(COMPOSE.healthCommand("follower0")).endsWith("status", VOLUME + "/follower0");
        assertThat(COMPOSE.healthCommand("follower-engine0"))
                .endsWith(
                        "status",
                        "127.0.0.1:" + engine.getProperty("server.port"),
                        "--tls=" + VOLUME + "/follower0/tls");
        assertThat(config.network().bindAddress()).isEqualTo("0.0.0.0");
        assertThat(config.network().admin().address()).isEqualTo("0.0.0.0");
    }

    @Test
    void shouldListenOnAllAddressesOfTheContainer() throws Exception {
        for (int i = 0; i < genesis.getNodesCount(); i++) {
            NodeConfig config = NodeConfig.read(new NodeDirectory(cluster.resolve("node" + i)));

            assertThat(config.network().bindAddress()).isEqualTo("0.0.0.0");
            assertThat(config.network().admin().address()).isEqualTo("0.0.0.0");
            assertThat(engineProperties(i))
                    .containsEntry("server.address", "0.0.0.0")
                    .containsEntry("sealbook.engine.grpc-address", "0.0.0.0");
        }
    }

    @Test
    void shouldScrapeEveryNodeAndEngineWhereItServesItsMetrics() throws Exception {
        List<ScrapeTargets.Target> expected = new ArrayList<>();
        for (int i = 0; i < genesis.getNodesCount(); i++) {
            NodeConfig config = NodeConfig.read(new NodeDirectory(cluster.resolve("node" + i)));
            int enginePort = Integer.parseInt(engineProperties(i).getProperty("server.port"));
            String node = Integer.toString(i);
            expected.add(new ScrapeTargets.Target(
                    "node", "/metrics", "node" + i, config.network().admin().port(), node));
            expected.add(new ScrapeTargets.Target("engine", "/actuator/prometheus", "node" + i, enginePort, node));
        }
        FollowerConfig follower = FollowerConfig.read(new NodeDirectory(cluster.resolve("follower0")));
        expected.add(new ScrapeTargets.Target(
                "follower", "/metrics", "follower0", follower.network().admin().port(), "follower0"));
        expected.add(new ScrapeTargets.Target(
                "engine",
                "/actuator/prometheus",
                "follower0",
                Integer.parseInt(engineProperties("follower0").getProperty("server.port")),
                "follower0"));

        assertThat(ScrapeTargets.read()).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** What Prometheus names exists, and is what every port of the cluster requires. */
    @Test
    void shouldScrapeWithTheCertificateOfTheOperator() throws Exception {
        for (ScrapeTargets.Job job : ScrapeTargets.jobs()) {
            assertThat(job.scheme()).isEqualTo("https");
            assertThat(job.tls()).containsEntry("min_version", "TLS13");
            for (String file : List.of("ca_file", "cert_file", "key_file")) {
                String named = (String) job.tls().get(file);
                assertThat(Path.of(named.replace(VOLUME, cluster.toString()))).exists();
            }
        }
        assertThat(Compose.strings(COMPOSE.service("prometheus").get("volumes")))
                .contains("cluster:" + VOLUME + ":ro");
        for (int i = 0; i < genesis.getNodesCount(); i++) {
            assertThat(NodeConfig.read(new NodeDirectory(cluster.resolve("node" + i)))
                            .network()
                            .tls()
                            .isRequired())
                    .isTrue();
            assertThat(engineProperties(i)).containsEntry("sealbook.engine.tls", "required");
        }
    }

    @Test
    void shouldAskEachServiceForItsHealthWithItsOwnJar() {
        nodes().forEach(i -> {
            String enginePort = COMPOSE.ports("machine" + i).get(3).get(2);
            assertThat(COMPOSE.healthCommand("node" + i))
                    .endsWith("-jar", "/app/consensus-node.jar", "status", VOLUME + "/node" + i);
            assertThat(COMPOSE.healthCommand("engine" + i))
                    .endsWith(
                            "-jar",
                            "/app/matching-engine.jar",
                            "status",
                            "127.0.0.1:" + enginePort,
                            "--tls=" + VOLUME + "/node" + i + "/tls");
        });
    }

    @Test
    void shouldCopyTheJarsThatThePomsBuildAndStartThem() {
        assertThat(COMPOSE.dockerfile("node0").copied())
                .containsEntry("/app/consensus-node.jar", shaded("consensus-node"))
                .containsEntry("/app/block-archive.jar", shaded("block-archive"));
        assertThat(COMPOSE.dockerfile("node0").entrypoint()).containsExactly("java", "-jar", "/app/consensus-node.jar");
        assertThat(COMPOSE.dockerfile("testnet")).isEqualTo(COMPOSE.dockerfile("node0"));
        assertThat(Repository.text(Repository.ROOT.resolve("matching-engine/pom.xml")))
                .contains("<finalName>matching-engine</finalName>");
        assertThat(COMPOSE.dockerfile("engine0").copied())
                .containsEntry("/app/matching-engine.jar", "matching-engine/target/matching-engine.jar");
        assertThat(COMPOSE.dockerfile("engine0").entrypoint())
                .containsExactly("java", "-jar", "/app/matching-engine.jar");
        for (String service : List.of("node0", "engine0")) {
            assertThat(COMPOSE.dockerfile(service).user()).isEqualTo("sealbook");
            assertThat(COMPOSE.dockerfile(service).base()).isEqualTo("eclipse-temurin:25-jre");
        }
    }

    private static String shaded(String module) {
        assertThat(Repository.text(Repository.ROOT.resolve(module + "/pom.xml")))
                .contains("<executable.name>" + module + "</executable.name>");
        return module + "/target/" + module + ".jar";
    }

    /** As often as it is interrupted, and not again when it is there. */
    @Test
    void shouldMakeTheClusterUntilItIsWhole(@TempDir Path volume) throws Exception {
        List<String> entrypoint = Compose.strings(COMPOSE.service("testnet").get("entrypoint"));
        Path tool = volume.resolve("tool");
        Path calls = volume.resolve("calls");
        String script = entrypoint
                .get(2)
                .replace("$$", "$")
                .replace("/cluster", volume.toString())
                .replace("java -jar /app/consensus-node.jar", "sh " + tool);

        assertThat(run(script, tool, "touch %s/genesis.json; echo \"$@\" >> %s; exit 137".formatted(volume, calls)))
                .as("interrupted")
                .isNotZero();
        assertThat(run(script, tool, "echo \"$@\" >> %s".formatted(calls))).isZero();
        assertThat(run(script, tool, "echo again >> %s".formatted(calls))).isZero();

        assertThat(calls).content().isEqualTo("testnet --nodes=4 --force\n".repeat(2));
        assertThat(cluster.resolve("genesis.json")).exists();
    }

    private static int run(String script, Path tool, String toolScript) throws Exception {
        Files.writeString(tool, toolScript);
        return new ProcessBuilder("sh", "-c", script, "testnet-once", "testnet", "--nodes=4")
                .inheritIO()
                .start()
                .waitFor();
    }

    @Test
    void shouldMountOnlyFilesThatAreThere() {
        for (String service : List.of("prometheus", "grafana")) {
            for (String volume : Compose.strings(COMPOSE.service(service).get("volumes"))) {
                if (volume.startsWith("./")) {
                    assertThat(Repository.DOCKER.resolve(volume.split(":")[0])).exists();
                }
            }
        }
        assertThat(Compose.strings(COMPOSE.service("prometheus").get("volumes")))
                .contains("./prometheus/alerts.yml:"
                        + Compose.strings(Repository.yaml(Repository.DOCKER.resolve("prometheus/prometheus.yml"))
                                        .get("rule_files"))
                                .getFirst()
                        + ":ro");
    }

    private static Properties engineProperties(int node) throws Exception {
        return engineProperties("node" + node);
    }

    private static Properties engineProperties(String name) throws Exception {
        Properties properties = new Properties();
        Path file = new NodeDirectory(cluster.resolve(name)).enginePropertiesFile();
        properties.load(new StringReader(Files.readString(file)));
        return properties;
    }
}
