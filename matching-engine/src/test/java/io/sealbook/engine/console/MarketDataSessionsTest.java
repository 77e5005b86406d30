package io.sealbook.engine.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.fixture.TestTrades;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import jakarta.websocket.CloseReason;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.SendHandler;
import jakarta.websocket.SendResult;
import jakarta.websocket.Session;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.json.JsonMapper;

@Timeout(300)
class MarketDataSessionsTest {
    private static final int TAPE_TRADES = 16;

    @TempDir
    private Path directory;

    private final TradeTape tape = new TradeTape(TAPE_TRADES);
    private final List<String> closeReasons = new CopyOnWriteArrayList<>();
    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    /** As in Tomcat: one text at a time is on its way. */
    private final AtomicReference<SendHandler> onItsWay = new AtomicReference<>();

    @Test
    void shouldKeepAnErrorUntilTheUpdateBeforeItHasGoneOut() throws Exception {
        try (MarketDataSessions sessions = sessions()) {
            Session session = session(Map.of("instrument", List.of("1")));
            sessions.open(session);
            assertThat(texts.take()).contains("\"update\"");

            sessions.subscribe(session, "{\"instrument\": 9}");
            sessions.subscribe(session, "garbage");
            onItsWay.getAndSet(null).onResult(new SendResult(session));
            assertThat(texts.take()).contains("instrument 9 does not exist");
            onItsWay.getAndSet(null).onResult(new SendResult(session));

            assertThat(texts.take()).contains("a message is");
        }
    }

    /** The sender comes late; the client has taken all that it was sent. */
    @Test
    void shouldNotBlameAClientForAnEngineThatIsLate() {
        try (MarketDataSessions sessions = sessions()) {
            MarketDataSession client = subscribed();
            client.send(sessions);
            taken();

            TestTrades.print(tape, TAPE_TRADES + 1);
            client.send(sessions);

            assertThat(closeReasons).containsExactly("the engine sends too slowly");
        }
    }

    @Test
    void shouldBlameAClientThatTakesTooLate() {
        try (MarketDataSessions sessions = sessions()) {
            MarketDataSession client = subscribed();
            client.send(sessions);
            TestTrades.print(tape, TAPE_TRADES + 1);
            taken();
            client.send(sessions);

            assertThat(closeReasons).containsExactly("too slow");
        }
    }

    /** It has lost nothing: trades that the engine makes again, and those before, had been announced. */
    @Test
    void shouldServeAClientThatCameBeforeTheEngineExecutesNewBlocks() throws Exception {
        TradeTape restarted = new TradeTape(TAPE_TRADES);
        try (MarketDataSessions sessions = sessions(restarted)) {
            MarketDataSession client = subscribed();
            client.send(sessions);
            restarted.beginAfter(1_000);
            TestTrades.print(restarted, TAPE_TRADES + 1);
            client.send(sessions);
            assertThat(texts).isEmpty();

            restarted.beginNewsAfter(restarted.lastTradeId());
            TestTrades.print(restarted, 1);
            client.send(sessions);

            assertThat(closeReasons).isEmpty();
            assertThat(texts.take()).contains("[{\"tradeId\":" + restarted.lastTradeId() + ",");
        }
    }

    /** The engine has lost its snapshot: it executes every block again. */
    @Test
    void shouldAnnounceNoTradeOfABlockThatIsExecutedAgain() throws Exception {
        Path node = directory.resolve("again");
        TestNode blocks = new TestNode(node, TestMarket.write(node, 1).digest());
        TestFlow flow = new TestFlow(1);
        blocks.commit(trade(flow, 1));
        try (TestEngine engine = new TestEngine(node, Map.of())) {
            engine.await(1);
        }
        FileSystemUtils.deleteRecursively(new EngineDirectory(node).snapshots());
        try (TestEngine engine = new TestEngine(node, Map.of());
                MarketDataSessions sessions = sessions(engine.tape)) {
            MarketDataSession client = subscribed();
            engine.await(1);
            Facts.await("the engine has executed all blocks again", engine.tape::hasNews);
            client.send(sessions);
            assertThat(engine.tape.get(1)).isPresent();
            assertThat(texts.take()).contains("\"trades\":null");
            taken();

            blocks.commit(trade(flow, 2));
            engine.await(2);
            client.send(sessions);

            assertThat(texts.take()).contains("[{\"tradeId\":2,");
        }
    }

    private static byte[][] trade(TestFlow flow, long clOrdId) {
        return new byte[][] {
            flow.batch(1, List.of(TestFlow.Entry.limit(clOrdId, 101, 1, Side.BUY, 10_000, 5))),
            flow.batch(2, List.of(TestFlow.Entry.limit(clOrdId, 201, 1, Side.SELL, 10_000, 5)))
        };
    }

    @Test
    void shouldKeepTradesThatWaitWhenOtherLevelsAreAskedFor() throws Exception {
        try (MarketDataSessions sessions = sessions()) {
            MarketDataSession client = subscribed();
            client.send(sessions);
            texts.take();
            TestTrades.print(tape, 2);
            client.subscribe(1, 2, tape.nextNewsId());
            TestTrades.print(tape, 1);
            taken();
            client.send(sessions);

            assertThat(texts.take()).contains("\"tradeId\":1,", "\"tradeId\":2,", "\"tradeId\":3,");
            taken();

            TestTrades.print(tape, 1);
            client.subscribe(2, 2, tape.nextNewsId());
            client.send(sessions);
            assertThat(texts.take()).contains("\"trades\":null");
        }
    }

    @Test
    void shouldBlameAClientThatTakesTooLateAndAsksForOtherLevels() {
        try (MarketDataSessions sessions = sessions()) {
            MarketDataSession client = subscribed();
            client.send(sessions);
            TestTrades.print(tape, TAPE_TRADES + 1);
            client.subscribe(1, 2, tape.nextNewsId());
            taken();
            client.send(sessions);

            assertThat(closeReasons).containsExactly("too slow");
        }
    }

    /** The sender's schedule ends with what a run of it throws. */
    @Test
    void shouldServeTheOthersAfterAMessageDidNotFitInTheHeap() throws Exception {
        try (MarketDataSessions sessions = sessions()) {
            Map<String, List<String>> parameters = Map.of("instrument", List.of("1"));
            Session full = proxy(Session.class, (self, method, arguments) -> switch (method.getName()) {
                case "getId" -> "full";
                case "getUserPrincipal" -> null;
                case "getRequestParameterMap" -> parameters;
                case "getAsyncRemote" -> throw new OutOfMemoryError("Java heap space");
                case "close" -> {
                    closeReasons.add(((CloseReason) arguments[0]).getReasonPhrase());
                    throw new OutOfMemoryError("Java heap space");
                }
                default -> throw new UnsupportedOperationException(method.getName());
            });
            sessions.open(full);
            Facts.await("the session is closed", () -> !closeReasons.isEmpty());
            sessions.remove(full);

            sessions.open(session(parameters));

            assertThat(texts.take()).contains("\"update\"");
            assertThat(closeReasons).contains("cannot send");
        }
    }

    /** Not one of those that the sender of {@link MarketDataSessions} looks at: the test is the sender. */
    private MarketDataSession subscribed() {
        MarketDataSession client = new MarketDataSession(session(Map.of()));
        client.subscribe(1, 1, 1);
        return client;
    }

    private void taken() {
        onItsWay.getAndSet(null).onResult(new SendResult((Session) null));
    }

    private MarketDataSessions sessions() {
        tape.beginNewsAfter(0);
        return sessions(tape);
    }

    private MarketDataSessions sessions(TradeTape ofEngine) {
        Path node = directory.resolve("node0");
        TestMarket.write(node, 1);
        AgreedMarket market = AgreedMarket.read(node.resolve("genesis.json"));
        return new MarketDataSessions(
                market,
                EngineSettings.of(key -> null).marketData(),
                new EngineProperties.Http(64, 8, 500, 8 << 20, 30_000),
                new DepthBoard(market.instrumentIds()),
                ofEngine,
                new JsonMapper());
    }

    private Session session(Map<String, List<String>> parameters) {
        RemoteEndpoint.Async remote = proxy(RemoteEndpoint.Async.class, (self, method, arguments) -> {
            if (!onItsWay.compareAndSet(null, (SendHandler) arguments[1])) {
                throw new IllegalStateException("a text is on its way");
            }
            texts.add((String) arguments[0]);
            return null;
        });
        return proxy(Session.class, (self, method, arguments) -> switch (method.getName()) {
            case "getId" -> "one";
            case "getUserPrincipal" -> null;
            case "getRequestParameterMap" -> parameters;
            case "getAsyncRemote" -> remote;
            case "close" -> {
                closeReasons.add(((CloseReason) arguments[0]).getReasonPhrase());
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
