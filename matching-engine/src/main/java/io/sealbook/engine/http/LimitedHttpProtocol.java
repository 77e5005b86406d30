package io.sealbook.engine.http;

import io.sealbook.access.Descriptors;
import io.sealbook.access.SocketPlaces;
import io.sealbook.engine.http.HttpHandshakes.Progress;
import io.sealbook.tls.TlsIdentity;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.coyote.Adapter;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLUtil;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tomcat's HTTP/1.1 connector with a limit of connections per certificate, without TLS per address, WebSockets
 * included, with the engine's TLS, and with {@link BodyLimit}. A connection that is not through its handshake has a
 * place only until others need it. Tomcat itself limits connections in total ({@code server.tomcat.max-connections})
 * and in time ({@code server.tomcat.connection-timeout}). Tomcat makes it by name and configures it afterwards.
 */
public final class LimitedHttpProtocol extends Http11NioProtocol {
    private static final Logger log = LoggerFactory.getLogger(LimitedHttpProtocol.class);

    private static final long REVIEW_PERIOD_MS = 1_000;

    private TlsIdentity identity;
    private ScheduledFuture<?> review;

    /** Makes a connector that accepts nothing until {@link #limit} was called. */
    public LimitedHttpProtocol() {
        super(new LimitedEndpoint());
    }

    /**
     * Sets the limit, before the connector starts.
     *
     * @param perHolderMax open connections of one certificate, without TLS of one address, at least 1
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    void limit(int perHolderMax, BiConsumer<Object, String> onRefused) {
        LimitedEndpoint endpoint = (LimitedEndpoint) getEndpoint();
        setMaxConnections(Math.min(getMaxConnections(), Descriptors.sockets(Descriptors.Port.ENGINE_HTTP)));
        endpoint.perHolderMax = perHolderMax;
        endpoint.onRefused = onRefused;
    }

    /**
     * Sets what the connector shows and trusts, before it starts and after Boot has configured its TLS. Connections
     * whose certificates are no longer trusted end within seconds.
     */
    void secure(TlsIdentity own) {
        identity = own;
        for (SSLHostConfig host : findSslHostConfigs()) {
            for (SSLHostConfigCertificate certificate : host.getCertificates()) {
                certificate.setSslContext(SSLUtil.createSSLContext(
                        own.context(), (X509ExtendedKeyManager) own.keys(), (X509ExtendedTrustManager) own.trust()));
            }
        }
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new BodyLimit(adapter));
    }

    @Override
    public void start() throws Exception {
        super.start();
        if (identity != null) {
            review = getUtilityExecutor()
                    .scheduleWithFixedDelay(this::review, REVIEW_PERIOD_MS, REVIEW_PERIOD_MS, TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void stop() throws Exception {
        if (review != null) {
            review.cancel(false);
        }
        super.stop();
    }

    private void review() {
        try {
            review(identity.clientsNow());
        } catch (Throwable failure) {
            // An error, too: the utility executor would never call it again.
            log.warn("HTTP: the certificates of open connections were not reviewed: {}", failure.toString());
        }
    }

    /** Ends connections that are not trusted now, or beyond what their certificate may have. Any thread. */
    void review(Predicate<SSLSession> isTrusted) {
        ((LimitedEndpoint) getEndpoint()).review(isTrusted);
    }

    /** Returns the number of open connections. Any thread. */
    int openCount() {
        return ((LimitedEndpoint) getEndpoint()).getConnections().size();
    }

    /** Looks at the open connections whenever the one thread that accepts has a new one. */
    private static final class LimitedEndpoint extends NioEndpoint {
        /** A holder may have these also when hardly any place is left. */
        private static final int PER_HOLDER_MIN = 4;

        /** Those whose hello was not read, and those whose hello was. */
        private static final int KINDS_OF_HANDSHAKES = 2;

        /** The poller takes a new connection within microseconds if it has a processor. */
        private static final long POLLER_MS = 10;

        private int perHolderMax;
        private BiConsumer<Object, String> onRefused = (remote, reason) -> {};
        /** Connections of each kind that are not through their handshake. */
        private int handshakesMax;
        /** Read what has come on WebSockets. */
        private ExecutorService webSockets;
        /** Connections that wait for their end. */
        private final Set<SocketWrapperBase<NioChannel>> ending = ConcurrentHashMap.newKeySet();
        /** Only the thread that accepts uses it. */
        private HttpHandshakes<SocketChannel> handshakes;

        @Override
        public void startInternal() throws Exception {
            handshakesMax = SocketPlaces.of(getMaxConnections(), getMaxConnections(), true)
                    .handshakesMax();
            handshakes = new HttpHandshakes<>(handshakesMax, this::progress, this::closeLate);
            webSockets = WebSocketUpgrade.threads(getMaxConnections());
            super.startInternal();
        }

        /**
         * A worker must not wait for a WebSocket whose client reads nothing ({@link WebSocketUpgrade}). A connection is
         * closed that no thread can be made for: the error would end the poller, and so the port.
         */
        @Override
        public boolean processSocket(
                SocketWrapperBase<NioChannel> connection, SocketEvent event, boolean isDispatched) {
            if (!isDispatched) {
                return super.processSocket(connection, event, false);
            }
            try {
                if (!WebSocketUpgrade.isOf(connection)) {
                    return super.processSocket(connection, event, true);
                }
                webSockets.execute(() -> super.processSocket(connection, event, false));
                return true;
            } catch (RejectedExecutionException | OutOfMemoryError e) {
                onRefused.accept(
                        connection.getRemoteAddr() + ":" + connection.getRemotePort(),
                        "no thread can serve it: " + e.getMessage());
                connection.close();
                return false;
            }
        }

        /** Also after a start that has failed. */
        @Override
        public void stopInternal() {
            super.stopInternal();
            if (webSockets != null) {
                webSockets.shutdown();
            }
        }

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            InetAddress address = socket.socket().getInetAddress();
            if (address == null) {
                // The client has closed it already.
                return refused(socket);
            }
            if (isSSLEnabled()) {
                handshakes.begin(socket, address);
                return super.setSocketOptions(socket);
            }
            if (openCount(address.getHostAddress()) >= perHolderMax) {
                onRefused.accept(
                        socket.socket().getRemoteSocketAddress(),
                        "address " + address.getHostAddress() + " has " + perHolderMax
                                + " connections open, the most that one address may have");
                return refused(socket);
            }
            return super.setSocketOptions(socket);
        }

        /** Ends a connection for which nothing was made yet: the caller closes only those that it has a wrapper of. */
        private boolean refused(SocketChannel socket) {
            destroySocket(socket);
            return false;
        }

        private Progress progress(SocketChannel socket) {
            SocketWrapperBase<NioChannel> connection = connections.get(socket);
            return connection == null ? Progress.OVER : Progress.of(connection);
        }

        /**
         * Has a worker close a connection that has lost its place. This thread is ahead of those that read: what the
         * client has sent may wait in the system, at the poller or for a worker. Until it is closed, the connection is
         * one of the connector's connections, which are limited.
         */
        private void closeLate(SocketChannel socket, Progress before) {
            SocketWrapperBase<NioChannel> connection = connections.get(socket);
            Executor workers = getExecutor();
            // There are none when the connector stops, which closes all connections.
            if (connection == null || workers == null) {
                return;
            }
            try {
                workers.execute(() -> readAndClose(socket, connection, before));
            } catch (RejectedExecutionException e) {
                // The operator has limited the queue of the workers: the time limit of connections ends it.
            }
        }

        /** Reads what has come, as if the poller had found it, and closes the connection if it is no further then. */
        private void readAndClose(SocketChannel socket, SocketWrapperBase<NioChannel> connection, Progress before) {
            if (!isLate(connection, before)) {
                // So no worker waits here for another one that has a request in hand.
                return;
            }
            if (!socket.isRegistered()) {
                // The poller would log an error with its stack for a connection that is closed when it comes to it.
                getUtilityExecutor().schedule(() -> closeLate(socket, before), POLLER_MS, TimeUnit.MILLISECONDS);
                return;
            }
            connection.getLock().lock();
            try {
                if (isLate(connection, before)) {
                    processSocket(connection, SocketEvent.OPEN_READ, false);
                }
                if (isLate(connection, before)) {
                    onRefused.accept(
                            connection.getRemoteAddr() + ":" + connection.getRemotePort(),
                            "its handshake is not done, and its address has most of those");
                    connection.close();
                }
            } finally {
                connection.getLock().unlock();
            }
        }

        private static boolean isLate(SocketWrapperBase<NioChannel> connection, Progress before) {
            return !connection.isClosed() && Progress.of(connection) == before;
        }

        /**
         * Ends connections whose certificate is not trusted, or has more connections than it may, as Tomcat ends those
         * that its client has left: after a request that is being answered. When few places are left, a certificate may
         * have no more than those ({@link io.sealbook.access.HolderQuota}): the next one gets a place. Connections that
         * are not through their handshake take no more than their places: further ones are about to be closed.
         */
        void review(Predicate<SSLSession> isTrusted) {
            Map<Certificate, Integer> counts = new HashMap<>();
            int perHolderNow = Math.min(perHolderMax, Math.max(PER_HOLDER_MIN, leftCount()));
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                SSLEngine tls =
                        connection.getSocket() instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
                // Before that, a certificate may be that of another one.
                if (tls != null
                        && Progress.of(connection) == Progress.OVER
                        && !ending.contains(connection)
                        && (!isTrusted.test(tls.getSession())
                                || isBeyondLimit(connection, tls, perHolderNow, counts))) {
                    end(connection);
                }
            }
        }

        /** On no worker: a request that is being answered has the lock of the connection until its answer is read. */
        private void end(SocketWrapperBase<NioChannel> connection) {
            if (ending.add(connection)) {
                Thread.ofVirtual().name("http-end").start(() -> {
                    try {
                        processSocket(connection, SocketEvent.DISCONNECT, false);
                    } finally {
                        ending.remove(connection);
                    }
                });
            }
        }

        private int leftCount() {
            int shaking = 0;
            int others = 0;
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                if (Progress.of(connection) == Progress.OVER) {
                    others++;
                } else {
                    shaking++;
                }
            }
            return getMaxConnections() - others - Math.min(shaking, KINDS_OF_HANDSHAKES * handshakesMax);
        }

        private boolean isBeyondLimit(
                SocketWrapperBase<NioChannel> connection,
                SSLEngine tls,
                int holderMax,
                Map<Certificate, Integer> counts) {
            try {
                Certificate shown = tls.getSession().getPeerCertificates()[0];
                if (counts.merge(shown, 1, Integer::sum) <= holderMax) {
                    return false;
                }
                onRefused.accept(
                        connection.getRemoteAddr() + ":" + connection.getRemotePort(),
                        "its certificate has " + holderMax + " connections open, the most that one may have now");
                return true;
            } catch (SSLPeerUnverifiedException e) {
                // The port requires a certificate, so that no handshake is done without one.
                return false;
            }
        }

        private int openCount(String address) {
            int count = 0;
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                if (address.equals(connection.getRemoteAddr())) {
                    count++;
                }
            }
            return count;
        }
    }
}
