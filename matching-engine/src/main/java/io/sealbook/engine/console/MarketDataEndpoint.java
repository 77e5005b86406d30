package io.sealbook.engine.console;

import io.sealbook.engine.http.WebSocketCaller;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.tomcat.websocket.Constants;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One WebSocket connection of {@code /ws/market-data}; {@link MarketDataSessions} does the sending. */
final class MarketDataEndpoint extends Endpoint {
    private static final Logger log = LoggerFactory.getLogger(MarketDataEndpoint.class);

    /** Pings of which none is answered before the connection counts as dead. */
    private static final int UNANSWERED_PINGS_MAX = 3;

    private final MarketDataSessions sessions;
    private final long pingMs;

    /**
     * Makes the endpoint of one connection.
     *
     * @param sessions sends; is shared by all connections
     * @param pingMs milliseconds between two pings, and the longest time that one may take to go out
     */
    MarketDataEndpoint(MarketDataSessions sessions, long pingMs) {
        this.sessions = sessions;
        this.pingMs = pingMs;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
        Map<String, Object> properties = session.getUserProperties();
        properties.put(Constants.READ_IDLE_TIMEOUT_MS, UNANSWERED_PINGS_MAX * pingMs);
        properties.put(Constants.BLOCKING_SEND_TIMEOUT_PROPERTY, pingMs);
        properties.put(Constants.SESSION_CLOSE_TIMEOUT_PROPERTY, pingMs);
        if (session.getUserPrincipal() instanceof WebSocketCaller caller) {
            caller.endWith(() -> sessions.end(session));
        }
        // Each message is a subscription that replaces the last.
        session.addMessageHandler(String.class, text -> sessions.subscribe(session, text));
        // Nobody needs them. Those without a handler would not be counted.
        session.addMessageHandler(ByteBuffer.class, (part, isLast) -> {});
        sessions.open(session);
    }

    @Override
    public void onClose(Session session, CloseReason reason) {
        sessions.remove(session);
    }

    @Override
    public void onError(Session session, Throwable failure) {
        log.debug("WebSocket session {} failed: {}", session.getId(), failure.toString());
        sessions.remove(session);
    }
}
