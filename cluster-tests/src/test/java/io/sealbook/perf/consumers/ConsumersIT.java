package io.sealbook.perf.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.facts.Facts;
import io.sealbook.perf.cluster.ClusterPlan;
import io.sealbook.perf.cluster.Home;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.NodeShape;
import io.sealbook.ports.PortBlock;
import io.sealbook.skips.JavaHomes;
import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of brokers as institutions build them, in processes of their own: each trades on one cluster with TLS,
 * beside libraries of its own that would clash with those of the client library.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ConsumersIT {
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);
    private static final Path HOME = Home.find();
    private static final Path THIS_JAVA = Path.of(System.getProperty("java.home"));

    @TempDir
    private static Path directory;

    private static LocalCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = LocalCluster.prepare(ClusterPlan.of(
                        HOME,
                        directory.resolve("cluster"),
                        LocalCluster.freeBasePort(4),
                        4,
                        List.of("sm2", "secp256k1", "sm2"),
                        List.of("1:ABC:2:1:200000:1000000"))
                .withShape(NodeShape.REPLICA)
                .withTestnetOptions(List.of("--tls")));
        cluster.start();
        cluster.awaitReady(READY_TIMEOUT);
    }

    @AfterAll
    static void end() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void shouldTradeOnThisJava() throws Exception {
        trade(THIS_JAVA, "plain", "io.sealbook.consumers.plain.BidAndCancel");
    }

    @Test
    void shouldTradeAsAModule() throws Exception {
        String path = Stream.of(classPath("plain").split(File.pathSeparator))
                .filter(each -> each.contains("client-sdk-bundle"))
                .findFirst()
                .orElseThrow();

        assertTraded(
                run(
                        THIS_JAVA,
                        "module",
                        "--module-path",
                        path,
                        "--add-modules",
                        "io.sealbook.client.bundle",
                        "--module",
                        "io.sealbook.client.bundle/io.sealbook.client.sample.SampleBroker",
                        broker(1).toString()),
                "CANCELED");
    }

    @Test
    void shouldTradeOnJava17() throws Exception {
        trade(java17(), "plain", "io.sealbook.consumers.plain.BidAndCancel");
    }

    @Test
    void shouldTradeBesideAnOlderGrpcWithNetty() throws Exception {
        String output = trade(THIS_JAVA, "old-grpc", "io.sealbook.consumers.oldgrpc.OldGrpcBroker");

        assertThat(output.lines().filter(line -> line.equals("own gRPC SERVING")))
                .hasSize(2);
    }

    @Test
    void shouldTradeBesideAnOlderProtobuf() throws Exception {
        String output = trade(THIS_JAVA, "old-protobuf", "io.sealbook.consumers.oldprotobuf.OldProtobufBroker");

        assertThat(output.lines().filter(line -> line.equals("own gRPC SERVING")))
                .hasSize(2);
        assertThat(output.lines().filter(line -> line.equals("own protobuf -5")))
                .hasSize(2);
    }

    @Test
    void shouldTradeInSpringBoot3() throws Exception {
        String output =
                run(THIS_JAVA, "boot-3", "-jar", jar("boot-3"), broker(2).toString(), "--server.port=0");

        assertTraded(output, "traded DONE");
        assertThat(output).contains("own web works");
    }

    /**
     * The starter's application: reports go on after the last one that was handled, those of the time in which it did
     * not run included, and one that was not handled comes again.
     */
    @Test
    void shouldResumeReportsAfterARestartOfTheStartersApplication() throws Exception {
        try (PortBlock port = PortBlock.take(1);
                Application application = new Application(port.base())) {
            application.start("first");
            application.awaitReport("NEW");
            Facts.await("a server that answers", application::answers);
            assertThat(application.health())
                    .contains("\"sealbook\":{", "\"connectedGateways\":4", "\"connectedEngines\":4");
            assertThat(application.get("/actuator/health").status()).isEqualTo(200);
            assertThat(application.metric("sealbook.client.reports")).isEqualTo(1);
            assertThat(application.metric("sealbook.client.batches.committed")).isEqualTo(1);
            Facts.await("the time of the receipt", () -> application.metric("sealbook.client.receipts") == 1);
            assertThat(application.stop()).containsExactly("1 NEW");

            assertTraded(trade(THIS_JAVA, "plain", "io.sealbook.consumers.plain.BidAndCancel", broker(3)), "traded");

            application.start("second", "--bids.refuse-reports=true");
            Facts.await(
                    "a report that is not handled", () -> application.output().contains("no room for report 2"));
            Facts.await("a server that answers", application::answers);
            Facts.await("health", () -> application.get("/actuator/health").status() == 503);
            assertThat(application.health()).contains("\"unhandledReport\":2");
            assertThat(application.stop()).isEmpty();

            application.start(
                    "third",
                    "--spring.ssl.bundle.pem.broker.keystore.certificate=" + tls("certificate.pem"),
                    "--spring.ssl.bundle.pem.broker.keystore.private-key=" + tls("key.pem"),
                    "--spring.ssl.bundle.pem.broker.truststore.certificate=" + tls("trusted.pem"),
                    "--sealbook.ssl.bundle=broker");
            Facts.await(() -> application.output(), () -> application.reports().size() == 4);
            assertThat(application.stop()).containsExactly("2 NEW", "3 CANCELED", "4 NEW", "5 NEW");
        }
    }

    private String trade(Path java, String consumer, String program) throws Exception {
        String output = trade(java, consumer, program, broker(consumer.equals("plain") ? 1 : 2));
        assertTraded(output, "traded DONE");
        assertThat(output).contains("signers [");
        return output;
    }

    private String trade(Path java, String consumer, String program, Path broker) throws Exception {
        return run(java, consumer, "-cp", classPath(consumer), program, broker.toString());
    }

    private static void assertTraded(String output, String end) {
        assertThat(output).contains(end).endsWith("exit code 0\n");
    }

    /** Returns what the process printed, and its exit code. */
    private String run(Path java, String name, String... arguments) throws Exception {
        Path log = Files.createTempFile(directory, name, ".log");
        Process process = start(java, log, List.of(arguments));
        try {
            int exitCode = process.waitFor();
            return Files.readString(log) + "exit code " + exitCode + "\n";
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process start(Path java, Path log, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                java.resolve("bin/java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private static Path java17() {
        Optional<Path> java = JavaHomes.find(17);
        assumeTrue(java.isPresent(), "needs Java 17: brokers may run it");
        return java.orElseThrow();
    }

    private static String classPath(String consumer) throws IOException {
        Path target = HOME.resolve("consumers").resolve(consumer).resolve("target");
        return target.resolve("classes")
                + File.pathSeparator
                + Files.readString(target.resolve("class-path.txt")).trim();
    }

    private static String jar(String consumer) {
        return HOME.resolve("consumers")
                .resolve(consumer)
                .resolve("target")
                .resolve(consumer + ".jar")
                .toString();
    }

    private static Path broker(int id) {
        return cluster.directory().resolve("broker" + id);
    }

    private static Path tls(String file) {
        return broker(3).resolve("tls").resolve(file);
    }

    /** The application of the starter's README, as broker 3; {@link #close} kills it. */
    private static final class Application implements AutoCloseable {
        private static final Pattern REPORT = Pattern.compile("report (\\d+): \\d+ (\\w+)");

        private final HttpClient http = HttpClient.newHttpClient();
        private final int port;
        private Process process;
        private Path log;

        Application(int port) {
            this.port = port;
        }

        private record Answer(int status, String body) {}

        void start(String name, String... options) throws Exception {
            log = directory.resolve("application-" + name + ".log");
            List<String> arguments = new ArrayList<>(List.of(
                    "-jar",
                    jar("boot-4"),
                    "--server.port=" + port,
                    "--sealbook.directory=" + broker(3),
                    "--sealbook.checkpoint-directory=" + directory.resolve("checkpoints")));
            arguments.addAll(List.of(options));
            process = ConsumersIT.start(THIS_JAVA, log, arguments);
        }

        void awaitReport(String type) throws Exception {
            Facts.await(this::output, () -> reports().stream().anyMatch(each -> each.endsWith(type)));
        }

        /** Ends the application in order and returns the reports that it handled, by number and type. */
        List<String> stop() throws Exception {
            process.destroy();
            process.waitFor();
            return reports();
        }

        @Override
        public void close() throws InterruptedException {
            if (process != null) {
                process.destroyForcibly().waitFor();
            }
        }

        List<String> reports() {
            return REPORT.matcher(output())
                    .results()
                    .map((MatchResult each) -> each.group(1) + " " + each.group(2))
                    .toList();
        }

        String output() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        String health() throws Exception {
            return get("/actuator/health").body();
        }

        /** Returns whether the web server listens; reports may come before it does. */
        boolean answers() throws Exception {
            try {
                health();
                return true;
            } catch (ConnectException e) {
                return false;
            }
        }

        double metric(String name) throws Exception {
            String body = get("/actuator/metrics/" + name).body();
            var value =
                    Pattern.compile("\"(?:COUNT|VALUE)\",\"value\":([0-9.E]+)").matcher(body);
            return value.find() ? Double.parseDouble(value.group(1)) : Double.NaN;
        }

        Answer get(String path) throws Exception {
            var answer = http.send(
                    HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                            .build(),
                    BodyHandlers.ofString());
            return new Answer(answer.statusCode(), answer.body());
        }
    }
}
