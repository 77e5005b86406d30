package io.sealbook.engine.console;

import io.sealbook.engine.http.WebSocketCaller;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
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
        session.addMessageHandler(String.class, new Subscriptions(session));
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

    /** Takes the client's messages, each a subscription that replaces the last; one that comes too fast ends it. */
    private final class Subscriptions implements MessageHandler.Whole<String> {
        private final Session session;
        /** What is on its way then is not looked at. */
        private boolean isEnded;

        Subscriptions(Session session) {
            this.session = session;
        }

        @Override
        public void onMessage(String text) {
            if (isEnded) {
                return;
            }
            if (session.getUserPrincipal() instanceof WebSocketCaller caller && !caller.admits(text.length())) {
                isEnded = true;
                sessions.end(session);
            } else {
                sessions.subscribe(session, text);
            }
        }
    }
}
