package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** History by REST, from the archive of a node that goes on writing it; the engine has no database. */
@Timeout(300)
class OrderHistoryTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final TestFlow FLOW = new TestFlow(5);
    private static final int BLOCKS_PER_SEGMENT = 4;
    private static final int CERTIFIED = 4;

    @TempDir
    static Path directory;

    private static BlockArchive archive;
    private static ConfigurableApplicationContext context;
    private static int httpPort;

    @BeforeAll
    static void start() {
        GenesisFile genesis = TestMarket.write(
                directory,
                1,
                "server.port=0",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.database.enabled=false",
                "sealbook.engine.history.bytes-max=4000",
                "sealbook.engine.exit-on-failure=false");
        context = EngineApplication.application(directory).run("--logging.level.root=warn");
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        answersBeforeTheFirstBlock();
        archive = BlockArchive.open(
                directory.resolve("archive"),
                new ArchiveConfig(genesis.digest(), BLOCKS_PER_SEGMENT, Durability.PROCESS));
        append(order(1, 71), order(2, 71));
        append(order(1, 72));
        append(cancel(1, 73, 71));
        append(order(3, 1), order(3, 2));
        archive.putCertificate(new CheckpointCertificate(
                CERTIFIED,
                archive.lastHash(),
                Digest.ZERO,
                Digest.ZERO,
                List.of(new CertificateSignature(0, new byte[CertificateSignature.LENGTH]))));
        append(order(1, 74));
    }

    private static void answersBeforeTheFirstBlock() {
        HttpResponse<byte[]> response = get("/api/orders/1/71/history");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(detail(response)).contains("no blocks yet");
    }

    @AfterAll
    static void stop() {
        context.close();
        archive.close();
    }

    @Test
    void shouldShowAnOrderAndItsCancelWithTheirPlaces() {
        JsonNode history = ok("/api/orders/1/71/history?to=5");

        JsonNode entries = history.path("entries");
        assertThat(entries).hasSize(2);
        JsonNode order = entries.get(0);
        assertThat(order.path("block").asLong()).isEqualTo(1);
        assertThat(order.path("batchIndex").asInt()).isZero();
        assertThat(order.path("orderIndex").asInt()).isZero();
        assertThat(order.path("action").asString()).isEqualTo("NEW");
        assertThat(order.path("side").asString()).isEqualTo("BUY");
        assertThat(order.path("price").asLong()).isEqualTo(9_000);
        assertThat(order.path("clOrdId").asString()).isEqualTo("71");
        assertThat(order.path("origClOrdId").isNull()).isTrue();
        assertThat(order.path("proof").asString()).isEqualTo("/api/blocks/1/batches/0/proof");
        assertThat(entries.get(1).path("block").asLong()).isEqualTo(3);
        assertThat(entries.get(1).path("action").asString()).isEqualTo("CANCEL");
        assertThat(entries.get(1).path("origClOrdId").asString()).isEqualTo("71");
        assertThat(history.path("isComplete").asBoolean()).isTrue();
        assertThat(history.path("searchedFrom").asLong()).isEqualTo(1);
    }

    @Test
    void shouldTellBrokersApart() {
        JsonNode entries = ok("/api/orders/2/71/history?to=5").path("entries");

        assertThat(entries).hasSize(1);
        assertThat(entries.get(0).path("batchIndex").asInt()).isEqualTo(1);
        assertThat(ok("/api/orders/4/71/history?to=5").path("entries")).isEmpty();
    }

    /** The newer entry may have been refused because the older one is open. */
    @Test
    void shouldNotClaimToBeCompleteAtAnEntryWithoutReports() {
        append(order(2, 91));
        long entered = archive.lastSequence();
        append(order(2, 91));

        JsonNode history = ok("/api/orders/2/91/history?to=" + archive.lastSequence());

        assertThat(history.path("entries")).hasSize(1);
        assertThat(history.path("isComplete").asBoolean()).isFalse();
        assertThat(history.path("searchedFrom").asLong()).isEqualTo(entered + 1);
    }

    @Test
    void shouldSearchWithinItsWindow() {
        JsonNode after = ok("/api/orders/1/71/history?from=2&to=5");
        assertThat(after.path("entries")).hasSize(1);
        assertThat(after.path("searchedFrom").asLong()).isEqualTo(2);
        assertThat(after.path("isComplete").asBoolean()).isTrue();

        assertThat(ok("/api/orders/1/71/history?to=2").path("entries")).hasSize(1);
        String third = Instant.ofEpochSecond(
                        0, Block.wrap(archive.read(3).orElseThrow()).header().blockTimeNs())
                .toString();
        assertThat(ok("/api/orders/1/71/history?to=5&since=" + third).path("entries"))
                .hasSize(1);
        assertThat(ok("/api/orders/1/71/history?until=" + third).path("entries"))
                .hasSize(2);
        assertThat(ok("/api/orders/1/71/history?since=2100-01-01T00:00:00Z").path("entries"))
                .isEmpty();
    }

    @Test
    void shouldEndAtItsLimitAndSayWhereToGoOn() {
        byte[][] many = new byte[20][];
        for (int i = 0; i < many.length; i++) {
            many[i] = order(4, 1_000 + i);
        }
        append(order(4, 999));
        append(many);
        append(many);

        JsonNode history = ok("/api/orders/4/999/history");
        assertThat(history.path("entries")).isEmpty();
        assertThat(history.path("isComplete").asBoolean()).isFalse();

        while (history.path("entries").isEmpty()) {
            long next = history.path("searchedFrom").asLong() - 1;
            assertThat(next).isPositive();
            history = ok("/api/orders/4/999/history?to=" + next);
        }
        assertThat(history.path("entries").get(0).path("clOrdId").asString()).isEqualTo("999");
    }

    @Test
    void shouldServeProofsOfWhatIsCertified() {
        HttpResponse<byte[]> response = get("/api/blocks/3/batches/0/proof");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/octet-stream");
        InclusionProof proof = InclusionProof.decode(response.body());
        Block third = Block.wrap(archive.read(3).orElseThrow());
        assertThat(proof.batchId()).isEqualTo(third.batchId(0));
        assertThat(proof.certificate().sequence()).isEqualTo(CERTIFIED);
        assertThat(proof.signedBatch()).isEqualTo(cancelOfBlockThree(third));

        problem("/api/blocks/5/batches/0/proof", 404, "no certificate covers block 5 yet");
        problem("/api/blocks/3/batches/7/proof", 404, "block 3 has 1 batches, none at 7");
        problem("/api/blocks/99/batches/0/proof", 404, "block 99 is not here");
        problem("/api/blocks/x/batches/0/proof", 400, "");
        problem("/api/orders/x/1/history", 400, "brokerId is no number: x");
        problem("/api/orders/1/1/history?since=yesterday", 400, "");
    }

    @Test
    void shouldAnswerFromTheBlocksWhatNeitherMemoryNorDatabaseHas() {
        append(order(2, 88));

        JsonNode order = ok("/api/orders/2/88");

        assertThat(order.path("source").asString()).isEqualTo("blocks");
        assertThat(order.path("clOrdId").asString()).isEqualTo("88");
        assertThat(order.path("price").asLong()).isEqualTo(9_000);
        assertThat(order.path("ordStatus").isNull()).isTrue();
        assertThat(order.path("updatedBlock").asLong()).isEqualTo(archive.lastSequence());
        problem("/api/orders/2/89", 404, "/api/orders/2/89/history");
    }

    @Test
    void shouldSayWhyThereIsNoProofOfAResult() {
        problem("/api/reports/1/1/proof", 404, "broker 1 has no report 1, or it is no longer kept");
        problem("/api/reports/9/1/proof", 404, "broker 9 has no report 1");
        problem("/api/reports/x/1/proof", 400, "brokerId is no number: x");
        problem("/api/trades/1/proof", 404, "there is no trade 1, or it is no longer kept");
        problem("/api/order-ids/1", 404, "no order has the id 1");
        problem("/api/order-ids/x", 400, "orderId is no unsigned 64-bit number: x");
    }

    /** The program of samples/ in another language, as an institution's developer runs it. */
    @Test
    void shouldServeTheSampleInPython(@TempDir Path work) throws Exception {
        Path proof = work.resolve("batch.proof");

        List<String> order = python(work, 0, "--broker", "1", "--cl-ord-id", "71", "--proof", proof.toString());
        assertThat(order)
                .containsExactly(
                        "NEW block 1 batch 0 entry 0 price 9000 quantity 10",
                        "CANCEL block 3 batch 0 entry 0 price 0 quantity 0",
                        "proof " + proof);
        assertThat(InclusionProof.decode(Files.readAllBytes(proof)).batchId())
                .isEqualTo(Block.wrap(archive.read(1).orElseThrow()).batchId(0));
        assertThat(python(work, 0).getFirst()).startsWith("block 0 orders 0 result ");
        assertThat(python(work, 1, "--broker", "4", "--cl-ord-id", "71")).containsExactly("broker 4 has no order 71");
        assertThat(python(work, 1, "--broker", "-1", "--cl-ord-id", "71"))
                .containsExactly("400: brokerId is -1, expected 0..4294967295");
    }

    private static List<String> python(Path work, int exitCode, String... arguments) throws Exception {
        Path output = work.resolve("output");
        List<String> command =
                new ArrayList<>(List.of("python3", "samples/query_engine.py", "http://127.0.0.1:" + httpPort));
        command.addAll(List.of(arguments));
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
        } catch (IOException e) {
            throw new TestAbortedException("needs python3: " + e.getMessage());
        }
        assertThat(process.waitFor()).as(Files.readString(output)).isEqualTo(exitCode);
        return Files.readAllLines(output);
    }

    private static byte[] cancelOfBlockThree(Block block) {
        return Arrays.copyOfRange(block.array(), block.batchOffset(0), block.batchOffset(0) + block.batchLength(0));
    }

    private static byte[] order(int brokerId, long clOrdId) {
        return FLOW.batch(brokerId, List.of(Entry.limit(clOrdId, 100 * brokerId, 1, Side.BUY, 9_000, 10)));
    }

    private static byte[] cancel(int brokerId, long clOrdId, long origClOrdId) {
        return FLOW.batch(brokerId, List.of(Entry.cancel(clOrdId, origClOrdId, 100 * brokerId, 1, Side.BUY)));
    }

    private static void append(byte[]... batches) {
        archive.append(TestNode.build(archive.lastSequence() + 1, archive.lastHash(), batches));
    }

    private static JsonNode ok(String path) {
        HttpResponse<byte[]> response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static void problem(String path, int status, String detail) {
        HttpResponse<byte[]> response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(detail(response)).contains(detail);
    }

    private static String detail(HttpResponse<byte[]> response) {
        return JSON.readTree(response.body()).path("detail").asString();
    }

    private static HttpResponse<byte[]> get(String path) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(path, e);
        }
    }
}
