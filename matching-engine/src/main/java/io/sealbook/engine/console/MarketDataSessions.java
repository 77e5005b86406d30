package io.sealbook.engine.console;

import io.sealbook.access.HolderQuota;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.http.WebSocketCaller;
import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineSettings;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Session;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The WebSocket clients of market data. One thread looks at all of them at a fixed pace and never waits for one. Their
 * places are divided as those of gRPC streams are: each role has some, and one caller takes a share.
 */
public final class MarketDataSessions implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MarketDataSessions.class);
    private static final int LEVELS_DEFAULT = 10;
    /** People see no more than this, and a browser draws no more. */
    private static final long PACE_MS = 100;

    private final AgreedMarket market;
    private final EngineSettings.MarketData settings;
    private final DepthBoard board;
    private final TradeTape tape;
    private final JsonMapper mapper;
    private final HolderQuota places;
    private final Map<String, Client> clients = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("websocket-sender").daemon().factory());

    /** @param holder has the place */
    private record Client(MarketDataSession session, Object holder) {}

    /**
     * Makes the service with its own thread.
     *
     * @param market instruments that may be asked for
     * @param settings limits of sessions and depth
     * @param http how often sessions are pinged
     * @param board newest depth
     * @param tape newest trades
     * @param mapper makes JSON of what is sent
     */
    public MarketDataSessions(
            AgreedMarket market,
            EngineSettings.MarketData settings,
            EngineProperties.Http http,
            DepthBoard board,
            TradeTape tape,
            JsonMapper mapper) {
        this.market = market;
        this.settings = settings;
        this.board = board;
        this.tape = tape;
        this.mapper = mapper;
        this.places = new HolderQuota(settings.subscribersMax(), settings.subscribersPerAddress());
        sender.scheduleWithFixedDelay(this::send, PACE_MS, PACE_MS, TimeUnit.MILLISECONDS);
        long pingMs = http.pingMs();
        sender.scheduleWithFixedDelay(this::ping, pingMs, pingMs, TimeUnit.MILLISECONDS);
    }

    /** Returns how many clients are connected. */
    public int count() {
        return clients.size();
    }

    @Override
    public void close() {
        sender.shutdownNow();
    }

    DepthBoard board() {
        return board;
    }

    TradeTape tape() {
        return tape;
    }

    String json(Object message) {
        return mapper.writeValueAsString(message);
    }

    /** Takes a new client; {@code ?instrument=ID&levels=N} subscribes it at once. */
    void open(Session session) {
        MarketDataSession client = new MarketDataSession(session);
        Object holder = holder(session);
        HolderQuota.Answer answer = places.take(holder);
        if (answer != HolderQuota.Answer.TAKEN) {
            log.debug("WebSocket: {}", places.describe(answer, holder, "WebSockets"));
            client.close(CloseReason.CloseCodes.TRY_AGAIN_LATER, refusal(answer));
            return;
        }
        clients.put(session.getId(), new Client(client, holder));
        Map<String, List<String>> query = session.getRequestParameterMap();
        if (query.containsKey("instrument")) {
            subscribe(
                    client,
                    query.get("instrument").getFirst(),
                    query.getOrDefault("levels", List.of(Integer.toString(LEVELS_DEFAULT)))
                            .getFirst());
        }
    }

    /** One without a caller, as no request over the network is, counts for itself. */
    private static Object holder(Session session) {
        return session.getUserPrincipal() instanceof WebSocketCaller caller ? caller.holder() : session.getId();
    }

    /** A reason of RFC 6455 has at most 123 bytes: a name of a certificate may be longer. */
    private String refusal(HolderQuota.Answer answer) {
        return switch (answer) {
            case HOLDER_HAS_ENOUGH -> "at most " + settings.subscribersPerAddress() + " clients of one caller";
            case REST_IS_FOR_OTHERS -> "as many clients of this caller as are left for others";
            default -> "at most " + settings.subscribersMax() + " clients";
        };
    }

    /** Takes {@code {"instrument": ID, "levels": N}}. */
    void subscribe(Session session, String text) {
        Client known = clients.get(session.getId());
        if (known == null) {
            return;
        }
        MarketDataSession client = known.session();
        try {
            JsonNode message = mapper.readTree(text);
            subscribe(
                    client,
                    message.path("instrument").asString(""),
                    message.path("levels").asString(Integer.toString(LEVELS_DEFAULT)));
        } catch (JacksonException e) {
            refuse(client, "a message is {\"instrument\": ID, \"levels\": N}");
        }
    }

    /** Ends a client that sends more than it may. */
    void end(Session session) {
        removed(session)
                .ifPresent(client ->
                        client.close(CloseReason.CloseCodes.TRY_AGAIN_LATER, "too many messages or bytes per second"));
    }

    void remove(Session session) {
        removed(session);
    }

    private Optional<MarketDataSession> removed(Session session) {
        Client client = clients.remove(session.getId());
        if (client == null) {
            return Optional.empty();
        }
        places.release(client.holder());
        return Optional.of(client.session());
    }

    private void subscribe(MarketDataSession client, String instrument, String levels) {
        try {
            int instrumentId = Integer.parseUnsignedInt(instrument);
            int count = Integer.parseInt(levels);
            if (!market.hasInstrument(instrumentId)) {
                refuse(client, "instrument " + instrument + " does not exist");
            } else if (count < 1 || count > settings.levelsMax()) {
                refuse(client, "levels is " + count + ", expected 1.." + settings.levelsMax());
            } else {
                client.subscribe(instrumentId, count, tape.nextNewsId());
            }
        } catch (NumberFormatException e) {
            refuse(client, "instrument and levels are numbers: " + e.getMessage());
        }
    }

    private record Problem(String type, String message) {}

    private void refuse(MarketDataSession client, String fact) {
        client.tell(json(new Problem("error", fact)));
    }

    private void ping() {
        forEach(MarketDataSession::ping);
    }

    private void send() {
        forEach(client -> client.send(this));
    }

    private void forEach(Consumer<MarketDataSession> action) {
        for (Client client : clients.values()) {
            try {
                action.accept(client.session());
            } catch (Throwable failure) {
                // One broken client, or a full heap, must not end the thread that serves the others.
                end(client.session(), failure);
            }
        }
    }

    private static void end(MarketDataSession client, Throwable failure) {
        try {
            log.warn("WebSocket: cannot send: {}", failure.toString());
            client.close(CloseReason.CloseCodes.UNEXPECTED_CONDITION, "cannot send");
        } catch (Throwable another) {
            // The heap is still full: the next round tries again.
        }
    }
}
