package io.sealbook.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.sealbook.engine.fixture.TestAdministration;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestFlow.Entry;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.facts.Facts;
import io.sealbook.ports.HeldPort;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.BestPrice;
import io.sealbook.protocol.v1.Depth;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.EngineStatusGrpc;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.GetEngineStatusRequest;
import io.sealbook.protocol.v1.GetLastReportRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.MarketDataGrpc;
import io.sealbook.protocol.v1.MarketDataRequest;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.ReportFrame;
import io.sealbook.protocol.v1.TradePrint;
import io.sealbook.vocabulary.ProductVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The whole service on real queues, asked in every way it can be asked. One context serves all tests; each commits its
 * own blocks.
 */
@Timeout(300)
class EngineApplicationTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final int ACCOUNT = 7;

    @TempDir
    static Path directory;

    private static final TestFlow FLOW = new TestFlow(11);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static long clOrdId = 1_000_000;
    private static final List<HeldPort> gatewayPorts = new ArrayList<>();
    private static Server gateway;
    private static ConfigurableApplicationContext context;
    private static TestNode node;
    private static int httpPort;
    private static ManagedChannel channel;

    @BeforeAll
    static void start() throws Exception {
        for (int i = 0; i < 4; i++) {
            gatewayPorts.add(new HeldPort());
        }
        // Of the four nodes one answers; no other process can take the ports of the others meanwhile.
        gateway = NettyServerBuilder.forAddress(
                        new InetSocketAddress("127.0.0.1", gatewayPorts.get(0).number()))
                .addService(new RunningGateway())
                .build()
                .start();
        GenesisFile genesis = TestMarket.write(
                directory,
                gatewayPorts.stream().map(HeldPort::number).toList(),
                "server.port=0",
                "sealbook.engine.grpc-port=0",
                "sealbook.engine.durability=disk",
                "sealbook.engine.exit-on-failure=false",
                "sealbook.engine.database.idle-ms=10");
        node = TestNode.withArchive(directory, genesis.digest());
        context = EngineApplication.application(directory).run("--logging.level.root=warn");
        httpPort = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        channel = NettyChannelBuilder.forAddress(
                        "127.0.0.1", context.getBean(EngineGrpcServer.class).port())
                .usePlaintext()
                .build();
        node.commitFlow(FLOW, 3, 2, 5);
        awaitPersisted(3);
    }

    @AfterAll
    static void stop() {
        channel.shutdownNow();
        context.close();
        gateway.shutdownNow();
        gatewayPorts.forEach(HeldPort::close);
    }

    @Test
    void shouldShowWhatAdministrativeTransactionsChange() throws Exception {
        problem("/api/depth/77", 404, "instrument 77 does not exist");
        long order = clOrdId++;
        node.commit(TestAdministration.batch(
                1,
                TestAdministration.setQuota(1, 100_000),
                TestAdministration.addInstrument(77),
                TestAdministration.addBroker(9)));
        node.commit(FLOW.batch(9, List.of(Entry.limit(order, 900, 77, Side.BUY, 5_000, 30))));
        node.commit(
                TestAdministration.batch(2, TestAdministration.setInstrument(77, InstrumentStatus.INSTRUMENT_HALTED)));
        awaitPersisted(node.lastSequence());

        JsonNode added = ok("/api/instruments").get(2);
        assertThat(added.path("symbol").asString()).isEqualTo("SYM77");
        assertThat(added.path("status").asString()).isEqualTo("HALTED");
        assertThat(ok("/api/instruments").get(0).path("status").asString()).isEqualTo("TRADING");
        assertThat(ok("/api/depth/77").path("status").asString()).isEqualTo("HALTED");
        assertThat(ok("/api/depth/77").path("bids").get(0).path("quantity").asLong())
                .isEqualTo(30);
        assertThat(ok("/api/status").path("membership").asLong()).isEqualTo(2);
        assertThat(ok("/api/orders/9/" + order).path("ordStatus").asString()).isEqualTo("NEW");
        assertThat(reports(9, 1).next().getCount()).isOne();
    }

    @Test
    void shouldAnswerOrderFromMemoryAndDatabase() throws Exception {
        long buy = clOrdId++;
        commit(1, Entry.limit(buy, ACCOUNT, 1, Side.BUY, 5_000, 30));

        JsonNode order = ok("/api/orders/1/" + buy);
        JsonNode ofAccount = ok("/api/orders?account=" + ACCOUNT + "&limit=1");

        assertThat(order.path("ordStatus").asString()).isEqualTo("NEW");
        assertThat(order.path("clOrdId").asString()).isEqualTo(Long.toString(buy));
        assertThat(order.path("leavesQty").asLong()).isEqualTo(30);
        assertThat(ofAccount.get(0).path("clOrdId").asString()).isEqualTo(Long.toString(buy));
    }

    @Test
    void shouldTraceAnOrderUnderEachOfItsClOrdIds() throws Exception {
        long buy = clOrdId++;
        long replace = clOrdId++;
        long cancel = clOrdId++;
        JsonNode ask = ok("/api/depth/2?levels=1").path("asks").get(0);
        long price = ask.path("price").asLong();
        long available = ask.path("quantity").asLong();
        commit(1, Entry.limit(buy, 8, 2, Side.BUY, price, available + 30));
        commit(1, Entry.replace(replace, buy, 8, 2, Side.BUY, 4_400, available + 25));
        commit(1, Entry.cancel(cancel, replace, 8, 2, Side.BUY));

        JsonNode trace = ok("/api/orders/1/" + buy + "/trace");
        JsonNode events = trace.path("events");

        assertThat(trace.path("isComplete").asBoolean()).isTrue();
        assertThat(trace.path("searchedTo").asLong()).isGreaterThanOrEqualTo(3);
        List<String> steps = new ArrayList<>();
        events.forEach(event -> steps.add(event.path("event").asString() + " "
                + (event.has("execType") ? event.path("execType") : event.path("action")).asString("")));
        assertThat(steps.stream().distinct())
                .containsExactly(
                        "entry NEW",
                        "report NEW",
                        "report TRADE",
                        "entry REPLACE",
                        "report REPLACED",
                        "entry CANCEL",
                        "report CANCELED",
                        "state ");
        JsonNode fill = events.get(2);
        assertThat(fill.path("lastPx").asLong()).isEqualTo(price);
        assertThat(fill.path("proof").asString())
                .isEqualTo("/api/reports/1/" + fill.path("reportSequence").asString() + "/proof");
        assertThat(fill.path("tradeProof").asString())
                .isEqualTo("/api/trades/" + fill.path("tradeId").asString() + "/proof");
        long block = events.get(0).path("block").asLong();
        assertThat(events.get(0).path("proof").asString()).isEqualTo("/api/blocks/" + block + "/batches/0/proof");
        JsonNode end = events.get(events.size() - 1);
        assertThat(end.path("is").asString()).isEqualTo("ENDED");
        assertThat(end.path("cumQty").asLong()).isEqualTo(available);
        assertThat(ok("/api/orders/1/" + replace + "/trace").path("events")).isEqualTo(events);
        assertThat(ok("/api/orders/1/" + cancel + "/trace").path("events")).isEqualTo(events);
        JsonNode before = ok("/api/orders/1/" + buy + "/trace?to=" + block).path("events");
        assertThat(before.get(before.size() - 1).path("is").asString()).isEqualTo("OPEN");
        problem("/api/orders/2/" + buy + "/trace", 404, "no report of broker 2 names order " + buy);
        problem("/api/orders/x/1/trace", 400, "brokerId is no number: x");
    }

    @Test
    void shouldTraceOrdersOnThePageOfTheConsole(@TempDir Path work) throws Exception {
        long buy = clOrdId++;
        long cancel = clOrdId++;
        commit(1, Entry.limit(buy, 8, 2, Side.BUY, 4_300, 17));
        long block = ok("/api/orders/1/" + buy).path("updatedBlock").asLong();
        commit(1, Entry.cancel(cancel, buy, 8, 2, Side.BUY));

        List<JsonNode> shown = new ConsolePage(work, "http://127.0.0.1:" + httpPort)
                .trace(List.of("1 " + buy, "2 " + buy, "1 " + cancel, "x 1"));

        JsonNode rows = shown.getFirst().path("rows");
        assertThat(rows).hasSize(4);
        assertThat(texts(rows.get(0)))
                .containsExactly("" + block, "0", "0", "new buy", "" + buy, "43.00", "17", "order");
        assertThat(texts(rows.get(1)).get(3)).matches("report \\d+: new, new, open 17");
        assertThat(texts(rows.get(2)).get(3)).isEqualTo("cancel buy");
        assertThat(texts(rows.get(3)).get(3)).matches("report \\d+: canceled, canceled, open 0");
        assertThat(shown.getFirst().path("message").asString())
                .matches("order \\d+ ended, filled 0, open 0 since block .* \\(blocks 1 to \\d+\\)");
        assertThat(texts(shown.getFirst().path("order"))).contains("Side buy", "Status canceled", "Quantity 17");
        assertThat(shown.get(1).path("message").asString()).startsWith("no report of broker 2 names order " + buy);
        assertThat(shown.get(1).path("rows")).as("rows of the order before").isEmpty();
        assertThat(shown.get(1).path("order")).as("facts of the order before").isEmpty();
        assertThat(shown.get(2).path("rows")).isEqualTo(rows);
        assertThat(shown.get(3).path("message").asString()).isEqualTo("brokerId is no number: x");
    }

    private static List<String> texts(JsonNode values) {
        return values.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void shouldShowCancelledOrderUnderItsOwnClOrdId() throws Exception {
        long buy = clOrdId++;
        long cancel = clOrdId++;
        commit(1, Entry.limit(buy, 8, 2, Side.BUY, 4_000, 30));
        commit(1, Entry.cancel(cancel, buy, 8, 2, Side.BUY));

        assertThat(ok("/api/orders/1/" + buy).path("ordStatus").asString()).isEqualTo("CANCELED");
        JsonNode stored = ok("/api/orders?account=8&limit=1").get(0);
        assertThat(stored.path("clOrdId").asString()).isEqualTo(Long.toString(buy));
        assertThat(stored.path("ordStatus").asString()).isEqualTo("CANCELED");
    }

    @Test
    void shouldShowTradesAndPositions() throws Exception {
        commit(2, Entry.limit(clOrdId++, 21, 1, Side.SELL, 20_000, 10));
        commit(3, Entry.limit(clOrdId++, 31, 1, Side.BUY, 99_000, 1));

        JsonNode trade = ok("/api/trades?instrument=1&limit=1").get(0);
        JsonNode account = ok("/api/accounts/31");

        assertThat(trade.path("quantity").asLong()).isEqualTo(1);
        assertThat(trade.path("aggressorSide").asString()).isEqualTo("BUY");
        assertThat(account.path("positions").get(0).path("netQty").asLong()).isEqualTo(1);
        assertThat(account.path("positions").get(0).path("boughtValue").asLong())
                .isEqualTo(trade.path("price").asLong());
    }

    /** The database may be further than what the engine was notified of. */
    @Test
    void shouldNameTheBlockOfThePositionsThatItReads() throws Exception {
        commit(2, Entry.limit(clOrdId++, 21, 1, Side.SELL, 99_000, 1));
        commit(3, Entry.limit(clOrdId++, 32, 1, Side.BUY, 99_000, 1));
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        monitor.onPersisted(1);

        JsonNode account = ok("/api/accounts/32");

        assertThat(account.path("asOfBlock").asLong()).isEqualTo(node.lastSequence());
        assertThat(account.path("positions")).hasSize(1);
        monitor.onPersisted(node.lastSequence());
        problem("/api/accounts/424242", 404, "has not traded up to block " + node.lastSequence());
    }

    /** Some errors of the virtual machine have no message. */
    @Test
    void shouldShowAFailureOfTheDatabaseThatHasNoMessage() throws Exception {
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        List<JsonNode> shown = new ArrayList<>();

        // The database itself works, so that the failure is soon over.
        Facts.await("both show it", () -> {
            monitor.onDatabaseFailure(new StackOverflowError());
            JsonNode status = ok("/api/status").path("databaseFailure");
            monitor.onDatabaseFailure(new StackOverflowError());
            JsonNode health = ok("/actuator/health")
                    .path("components")
                    .path("engine")
                    .path("details")
                    .path("databaseFailure");
            shown.clear();
            shown.addAll(List.of(status, health));
            return !status.isNull() && !health.isMissingNode();
        });

        assertThat(shown).extracting(JsonNode::asString).containsOnly("java.lang.StackOverflowError");
    }

    @Test
    void shouldShowDepthOfCommittedOrders() throws Exception {
        commit(
                1,
                Entry.limit(clOrdId++, ACCOUNT, 2, Side.BUY, 11, 5),
                Entry.limit(clOrdId++, ACCOUNT, 2, Side.BUY, 11, 7));

        JsonNode depth = ok("/api/depth/2?levels=20");

        assertThat(depth.path("bids")
                        .valueStream()
                        .mapToLong(l -> l.path("price").asLong()))
                .isSortedAccordingTo(java.util.Comparator.reverseOrder())
                .contains(11L);
        assertThat(depth.path("bids").valueStream())
                .anyMatch(l -> l.path("price").asLong() == 11
                        && l.path("quantity").asLong() == 12
                        && l.path("orderCount").asInt() == 2);
    }

    @Test
    void shouldShowBlocksStatusAndInstruments() throws Exception {
        long last = node.lastSequence();

        JsonNode status = ok("/api/status");
        JsonNode block = ok("/api/blocks?limit=1").get(0);

        assertThat(status.path("phase").asString()).isEqualTo("TAILING");
        assertThat(status.path("lastExecuted").asLong()).isEqualTo(last);
        assertThat(block.path("sequence").asLong()).isEqualTo(last);
        assertThat(block.path("resultDigest").asString())
                .isEqualTo(status.path("resultDigest").asString())
                .hasSize(64);
        assertThat(ok("/api/instruments").get(1).path("symbol").asString()).isEqualTo("SYM2");
    }

    @Test
    void shouldSayWhatIsWrongWithARequest() throws Exception {
        problem("/api/orders/x/1", 400, "brokerId is no number: x");
        problem("/api/orders/1/-1", 400, "clOrdId is no unsigned 64-bit number");
        problem("/api/orders?account=1&limit=0", 400, "limit is 0, expected 1..1000");
        problem("/api/depth/9", 404, "instrument 9 does not exist");
        problem("/api/depth/1?levels=99", 400, "levels is 99, expected 1..20");
        problem("/api/depth/2?fromBlock=999999", 409, ", before block 999999");
        problem("/api/trades", 400, "instrument");
        problem("/api/accounts/424242", 404, "account 424242 has not traded");
        problem("/api/blocks?limit=1000", 400, "limit is 1000");
    }

    @Test
    void shouldShowNodesThatAnswerAndThoseThatDoNot() throws Exception {
        // The service waits for an answer for less than a second.
        JsonNode nodes = Facts.awaitPresent(
                () -> "the state of node 0",
                () -> Optional.of(ok("/api/nodes"))
                        .filter(seen -> seen.get(0).path("state").asString().equals("NORMAL")));

        assertThat(nodes).hasSize(4);
        assertThat(nodes.get(0).path("state").asString()).isEqualTo("NORMAL");
        assertThat(nodes.get(0).path("view").asLong()).isEqualTo(5);
        assertThat(nodes.get(3).path("state").asString()).isEqualTo("UNREACHABLE");
    }

    @Test
    void shouldServeConsoleAndMetrics() throws Exception {
        assertThat(get("/").body()).contains("<title>Sealbook console</title>");
        assertThat(get("/console.js").statusCode()).isEqualTo(200);
        assertThat(get("/actuator/health/readiness").statusCode()).isEqualTo(200);
        assertThat(get("/actuator/info").body()).contains("\"version\":\"" + ProductVersion.text() + "\"");
        assertThat(get("/actuator/prometheus").body())
                .contains(
                        "sealbook_build_info{component=\"engine\",version=\"" + ProductVersion.text() + "\"} 1",
                        "sealbook_engine_last_executed_block",
                        "sealbook_engine_lag_blocks",
                        "sealbook_engine_orders_total",
                        "sealbook_engine_trades_total",
                        "sealbook_engine_reports_total",
                        "sealbook_engine_rejects_total{component=\"engine\",reason=\"UNKNOWN_ORDER\"}",
                        "sealbook_engine_block_execution_seconds_bucket",
                        "sealbook_engine_database_lag_blocks",
                        "sealbook_engine_report_followers",
                        "sealbook_engine_snapshot_age_seconds",
                        "disk_free_bytes{component=\"engine\",path=\"" + directory + "\"}",
                        "disk_free_bytes{component=\"engine\",path=\"" + directory.resolve("queue") + "\"}",
                        "disk_free_bytes{component=\"engine\",path=\"" + directory.resolve("engine") + "\"}");
    }

    @Test
    void shouldStreamReportsFromAnySequenceThenLive() throws Exception {
        Iterator<ReportFrame> all = reports(4, 1);
        commit(4, Entry.limit(clOrdId++, 41, 2, Side.BUY, 3, 1));
        long live = 0;
        long next = 1;
        while (live == 0) {
            ReportFrame frame = all.next();
            assertThat(frame.getFirstSequence()).isEqualTo(next);
            assertThat(frame.getReports().size()).isEqualTo(frame.getCount() * 153);
            next += frame.getCount();
            live = frame.getFirstSequence() + frame.getCount() > 1 ? next - 1 : 0;
        }

        commit(4, Entry.limit(clOrdId++, 41, 2, Side.BUY, 3, 1));
        ReportFrame after = all.next();
        ReportFrame again = reports(4, next).next();

        assertThat(after.getFirstSequence()).isEqualTo(next);
        long last = lastReport(4);
        assertThat(last).isGreaterThanOrEqualTo(next);
        assertThat(reports(4, last).next())
                .extracting(ReportFrame::getFirstSequence, ReportFrame::getCount)
                .containsExactly(last, 1);
        assertThat(again.getReports().substring(0, 153))
                .isEqualTo(after.getReports().substring(0, 153));
    }

    @Test
    void shouldRefuseReportStreamOfUnknownBroker() {
        assertStatus(() -> reports(99, 1).next(), Status.Code.NOT_FOUND, "broker 99");
        assertStatus(() -> lastReport(99), Status.Code.NOT_FOUND, "broker 99");
        assertStatus(() -> reports(1, -5).next(), Status.Code.OUT_OF_RANGE, "asked for");
    }

    @Test
    void shouldStreamMarketData() throws Exception {
        MarketDataGrpc.MarketDataBlockingStub marketData =
                MarketDataGrpc.newBlockingStub(channel).withDeadlineAfter(4, TimeUnit.MINUTES);
        MarketDataRequest request =
                MarketDataRequest.newBuilder().addInstrumentIds(1).setLevels(5).build();
        Iterator<BestPrice> best = marketData.followBestPrices(request);
        Iterator<Depth> depth = marketData.followDepth(request);
        Iterator<TradePrint> trades = marketData.followTrades(request);
        BestPrice before = best.next();
        Depth shown = depth.next();
        assertThat(shown.getBidsCount()).isLessThanOrEqualTo(5);
        assertThat(shown.getBidsList()).allMatch(level -> level.getOrderCount() > 0);
        assertThat(shown.getAsksList()).allMatch(level -> level.getOrderCount() > 0);

        AtomicBoolean isSeen = new AtomicBoolean();
        FutureTask<Void> trader = new FutureTask<>(() -> {
            while (!isSeen.get()) {
                commit(
                        2,
                        Entry.limit(clOrdId++, 21, 1, Side.SELL, 1, 1),
                        Entry.limit(clOrdId++, 21, 1, Side.BUY, 99_999, 1));
            }
            return null;
        });
        Thread.ofPlatform().start(trader);
        TradePrint trade = trades.next();
        BestPrice after = best.next();
        isSeen.set(true);
        trader.get();

        assertThat(trade.getInstrumentId()).isEqualTo(1);
        assertThat(trade.getAggressorSide()).isIn("1", "2");
        assertThat(after.getBlockSequence()).isGreaterThan(before.getBlockSequence());
    }

    @Test
    void shouldRefuseMarketDataOfUnknownInstrument() {
        MarketDataGrpc.MarketDataBlockingStub marketData = MarketDataGrpc.newBlockingStub(channel);
        assertStatus(
                () -> marketData
                        .followDepth(MarketDataRequest.newBuilder()
                                .addInstrumentIds(9)
                                .build())
                        .next(),
                Status.Code.NOT_FOUND,
                "instrument 9");
        assertStatus(
                () -> marketData
                        .followDepth(
                                MarketDataRequest.newBuilder().setLevels(99).build())
                        .next(),
                Status.Code.INVALID_ARGUMENT,
                "levels 99, at most 20");
    }

    @Test
    void shouldFeedWebSocket() throws Exception {
        BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
        WebSocket socket = webSocket("?instrument=2&levels=3", messages);

        JsonNode first = messages.take();
        assertThat(first.path("type").asString()).isEqualTo("update");
        assertThat(first.path("depth").path("bids").size()).isLessThanOrEqualTo(3);
        assertThat(first.path("depth").path("bids").valueStream())
                .allMatch(level -> level.path("orderCount").asInt() > 0);

        commit(
                1,
                Entry.limit(clOrdId++, ACCOUNT, 2, Side.SELL, 1, 1),
                Entry.limit(clOrdId++, ACCOUNT, 2, Side.BUY, 99_999, 1));
        JsonNode update = messages.take();
        while (update.path("trades").isMissingNode() || update.path("trades").isNull()) {
            update = messages.take();
        }
        assertThat(update.path("instrumentId").asLong()).isEqualTo(2);
        assertThat(update.path("trades").get(0).path("quantity").asLong()).isPositive();

        socket.sendText("{\"instrument\": 9}", true).join();
        JsonNode error = messages.take();
        while (!error.path("type").asString().equals("error")) {
            error = messages.take();
        }
        assertThat(error.path("message").asString()).contains("instrument 9 does not exist");
        socket.abort();
    }

    @Test
    void shouldSurviveGarbageOnGrpcPort() throws Exception {
        byte[] garbage = new byte[10_000];
        new java.util.Random(5).nextBytes(garbage);
        int port = context.getBean(EngineGrpcServer.class).port();
        for (int i = 0; i < 5; i++) {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                socket.getOutputStream().write(garbage);
                socket.getOutputStream().flush();
                assertThat(socket.getInputStream().readAllBytes().length).isLessThan(10_000);
            } catch (IOException reset) {
                assertThat(reset).hasMessageMatching("(?i).*(reset|broken pipe).*");
            }
        }

        EngineState state =
                EngineStatusGrpc.newBlockingStub(channel).getEngineStatus(GetEngineStatusRequest.getDefaultInstance());
        assertThat(state.getLastExecuted()).isEqualTo(node.lastSequence());
        assertThat(state.getResultDigest().size()).isEqualTo(32);
    }

    @Test
    void shouldKeepASecondEngineOffTheDirectory() {
        assertThatThrownBy(() -> EngineApplication.application(directory).run("--logging.level.root=off"))
                .rootCause()
                .hasMessageContaining("another engine runs on");
    }

    private static synchronized void commit(int brokerId, Entry... entries) throws Exception {
        node.commit(FLOW.batch(brokerId, List.of(entries)));
        awaitPersisted(node.lastSequence());
    }

    private static void awaitPersisted(long sequence) throws Exception {
        EngineMonitor monitor = context.getBean(EngineMonitor.class);
        Facts.await("block " + sequence + " is persisted", () -> {
            assertThat(monitor.failure()).isEmpty();
            return monitor.persistedBlock() >= sequence;
        });
    }

    private static long lastReport(int brokerId) {
        return ExecutionReportsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(4, TimeUnit.MINUTES)
                .getLastReport(
                        GetLastReportRequest.newBuilder().setBrokerId(brokerId).build())
                .getSequence();
    }

    private static Iterator<ReportFrame> reports(int brokerId, long from) {
        return ExecutionReportsGrpc.newBlockingStub(channel)
                .withDeadlineAfter(4, TimeUnit.MINUTES)
                .follow(FollowReportsRequest.newBuilder()
                        .setBrokerId(brokerId)
                        .setFromSequence(from)
                        .build());
    }

    private static void assertStatus(Runnable call, Status.Code code, String description) {
        assertThatThrownBy(call::run).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).contains(description);
        });
    }

    private static JsonNode ok(String path) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private static void problem(String path, int status, String detail) throws Exception {
        HttpResponse<String> response = get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(status);
        assertThat(response.headers().firstValue("content-type")).hasValue("application/problem+json");
        assertThat(JSON.readTree(response.body()).path("detail").asString()).contains(detail);
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static WebSocket webSocket(String query, BlockingQueue<JsonNode> messages) {
        return HTTP.newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + httpPort + "/ws/market-data" + query), new WebSocket.Listener() {
                            private final StringBuilder text = new StringBuilder();

                            @Override
                            public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean isLast) {
                                text.append(data);
                                if (isLast) {
                                    messages.add(JSON.readTree(text.toString()));
                                    text.setLength(0);
                                }
                                socket.request(1);
                                return null;
                            }
                        })
                .join();
    }

    /** Stands for node 0's gateway, a process of its own in a cluster. */
    private static final class RunningGateway extends OrderGatewayGrpc.OrderGatewayImplBase {
        @Override
        public void getNodeStatus(GetNodeStatusRequest request, StreamObserver<NodeStatus> response) {
            response.onNext(
                    NodeStatus.newBuilder().setState("NORMAL").setView(5).build());
            response.onCompleted();
        }
    }
}
