package io.sealbook.engine.console;

import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One WebSocket connection of {@code /ws/market-data}; {@link MarketDataSessions} does the sending. */
final class MarketDataEndpoint extends Endpoint {
    private static final Logger log = LoggerFactory.getLogger(MarketDataEndpoint.class);

    private final MarketDataSessions sessions;

    MarketDataEndpoint(MarketDataSessions sessions) {
        this.sessions = sessions;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
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

    /** Takes the client's messages: what it wants to see from now on. */
    private final class Subscriptions implements MessageHandler.Whole<String> {
        private final Session session;

        Subscriptions(Session session) {
            this.session = session;
        }

        @Override
        public void onMessage(String text) {
            sessions.subscribe(session, text);
        }
    }
}
