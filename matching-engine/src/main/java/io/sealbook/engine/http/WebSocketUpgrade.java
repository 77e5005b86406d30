package io.sealbook.engine.http;

import jakarta.websocket.Extension;
import jakarta.websocket.server.ServerEndpointConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.websocket.Transformation;
import org.apache.tomcat.websocket.server.WsHandshakeRequest;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;
import org.apache.tomcat.websocket.server.WsServerContainer;

/**
 * Tomcat's side of a WebSocket, whose frames are read on a thread of its own while there are some. Tomcat answers a
 * ping on the thread that has read it, and waits there until the client takes the answer: as many clients as workers
 * that send pings and read nothing would hold all workers. A connection has one such thread at a time, under its lock.
 * It is no virtual thread: those have no time slices, and one that always finds a further ping would keep its
 * processor.
 *
 * <p>Tomcat makes it by reflection.
 */
public final class WebSocketUpgrade extends WsHttpUpgradeHandler {
    /** Connections that have become WebSockets. */
    private static final Set<SocketWrapperBase<?>> ALL =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private SocketWrapperBase<?> connection;

    /** Reads the frames of one WebSocket after the other. */
    private static final class Reader extends Thread {
        private Reader(Runnable task) {
            super(task, "websocket-read");
            setDaemon(true);
        }
    }

    /**
     * Returns threads that live while they have something to read.
     *
     * @param connectionsMax as many may be at once
     */
    static ExecutorService threads(int connectionsMax) {
        return new ThreadPoolExecutor(0, connectionsMax, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), Reader::new);
    }

    /** Returns whether a connection has become a WebSocket. Any thread. */
    static boolean isOf(SocketWrapperBase<?> connection) {
        return ALL.contains(connection);
    }

    /** Counts the frames of the one who has asked for the WebSocket. */
    @Override
    public void preInit(
            ServerEndpointConfig endpoint,
            WsServerContainer container,
            WsHandshakeRequest request,
            List<Extension> extensions,
            String subProtocol,
            Transformation transformation,
            Map<String, String> parameters,
            boolean isSecure) {
        Transformation counted = transformation;
        if (request.getUserPrincipal() instanceof WebSocketCaller caller) {
            CountedFrames frames = new CountedFrames(caller);
            if (transformation == null) {
                counted = frames;
            } else {
                transformation.setNext(frames);
            }
        }
        super.preInit(endpoint, container, request, extensions, subProtocol, counted, parameters, isSecure);
    }

    /** Is called before the first frame is read. */
    @Override
    public void setSocketWrapper(SocketWrapperBase<?> upgraded) {
        connection = upgraded;
        ALL.add(upgraded);
        super.setSocketWrapper(upgraded);
    }

    /** The worker that has answered the request for the WebSocket goes on with its frames. */
    @Override
    public SocketState upgradeDispatch(SocketEvent event) {
        if (event == SocketEvent.OPEN_READ && !(Thread.currentThread() instanceof Reader)) {
            connection.processSocket(event, true);
            // It is closed if there is no thread for it.
            return connection.isClosed() ? super.upgradeDispatch(SocketEvent.ERROR) : SocketState.SUSPENDED;
        }
        return super.upgradeDispatch(event);
    }
}
