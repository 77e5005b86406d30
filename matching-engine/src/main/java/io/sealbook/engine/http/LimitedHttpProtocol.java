package io.sealbook.engine.http;

import io.sealbook.access.Descriptors;
import io.sealbook.tls.TlsIdentity;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
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

/**
 * Tomcat's HTTP/1.1 connector with a limit of connections per certificate, without TLS per address, WebSockets
 * included, with the engine's TLS, and with {@link BodyLimit}. A connection that is not through its handshake has a
 * place only until others need it. Tomcat itself limits connections in total ({@code server.tomcat.max-connections})
 * and in time ({@code server.tomcat.connection-timeout}). Tomcat makes it by name and configures it afterwards.
 */
public final class LimitedHttpProtocol extends Http11NioProtocol {
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
        ((LimitedEndpoint) getEndpoint()).review(identity.clientsNow());
    }

    /** Returns the number of open connections. Any thread. */
    int openCount() {
        return ((LimitedEndpoint) getEndpoint()).getConnections().size();
    }

    /** Looks at the open connections whenever the one thread that accepts has a new one. */
    private static final class LimitedEndpoint extends NioEndpoint {
        /** Connections whose handshake is not done; each takes a place of the connector's connections. */
        private static final int HANDSHAKES_MAX = 128;

        private static final int HANDSHAKE_PART = 4;

        /** The protocol of a TLS session before its handshake is done ({@link SSLSession#getProtocol()}). */
        private static final String NO_PROTOCOL = "NONE";

        /** A holder may have these also when hardly any place is left. */
        private static final int PER_HOLDER_MIN = 4;

        /** How far the handshake of a connection is: no hello has come, a hello has, the client has proved its key. */
        private enum Progress {
            SILENT,
            HANDSHAKING,
            DONE
        }

        /** Accepted and not known to have ended their handshake, the oldest first; only the thread that accepts. */
        private final Set<SocketChannel> handshakes = new LinkedHashSet<>();

        private int perHolderMax;
        private BiConsumer<Object, String> onRefused = (remote, reason) -> {};

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            InetAddress address = socket.socket().getInetAddress();
            if (address == null) {
                // The client has closed it already.
                return refused(socket);
            }
            if (isSSLEnabled()) {
                makeRoom();
                handshakes.add(socket);
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

        /**
         * Ends the oldest connection without a certificate if there are too many: first one whose hello has not come,
         * which a client that speaks TLS sends at once. One that a worker has in hand is left alone: Tomcat gives the
         * channel of a closed connection to the next one, and a worker would go on with it.
         */
        private void makeRoom() {
            int placesMax = Math.min(HANDSHAKES_MAX, Math.max(1, getMaxConnections() / HANDSHAKE_PART));
            handshakes.removeIf(this::isOver);
            while (handshakes.size() >= placesMax
                    && (endedOldest(Progress.SILENT) || endedOldest(Progress.HANDSHAKING))) {
                handshakes.removeIf(this::isOver);
            }
        }

        private boolean endedOldest(Progress progress) {
            return handshakes.stream().anyMatch(socket -> ended(socket, progress));
        }

        /** Ends a connection if it has come as far as given, and no worker has it in hand; returns whether it did. */
        private boolean ended(SocketChannel socket, Progress progress) {
            SocketWrapperBase<NioChannel> connection = connections.get(socket);
            if (connection == null
                    || progress(connection) != progress
                    || !connection.getLock().tryLock()) {
                return false;
            }
            try {
                if (connection.isClosed() || progress(connection) != progress) {
                    return false;
                }
                onRefused.accept(
                        connection.getRemoteAddr() + ":" + connection.getRemotePort(),
                        "its handshake is not done, and it is the oldest of those");
                connection.close();
                return true;
            } finally {
                connection.getLock().unlock();
            }
        }

        /** Returns whether a connection is closed, or through its handshake. */
        private boolean isOver(SocketChannel socket) {
            SocketWrapperBase<NioChannel> connection = connections.get(socket);
            return connection == null || progress(connection) == Progress.DONE;
        }

        /**
         * Returns how far a connection's handshake is. The status of its TLS would not do: it waits until the ticket of
         * the session goes out with the first answer. Nor would Tomcat's own mark, which is set some time after the
         * session of the handshake has become that of the connection.
         */
        private static Progress progress(SocketWrapperBase<NioChannel> connection) {
            SSLEngine tls = connection.getSocket() instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
            if (tls == null) {
                return Progress.SILENT;
            }
            // In this order: the second becomes true before the first becomes false.
            boolean isHandshaking = tls.getHandshakeSession() != null;
            if (!tls.getSession().getProtocol().equals(NO_PROTOCOL)) {
                return Progress.DONE;
            }
            return isHandshaking ? Progress.HANDSHAKING : Progress.SILENT;
        }

        /**
         * Ends connections whose certificate is not trusted, or has more connections than it may, as Tomcat ends those
         * that its client has left: after a request that is being answered. When few places are left, a certificate may
         * have no more than those ({@link io.sealbook.access.HolderQuota}): the next one gets a place.
         */
        void review(Predicate<SSLSession> isTrusted) {
            Map<Certificate, Integer> counts = new HashMap<>();
            int left = getMaxConnections() - getConnections().size();
            int perHolderNow = Math.min(perHolderMax, Math.max(PER_HOLDER_MIN, left));
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                SSLEngine tls =
                        connection.getSocket() instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
                if (tls != null
                        && (!isTrusted.test(tls.getSession())
                                || isBeyondLimit(connection, tls, perHolderNow, counts))) {
                    processSocket(connection, SocketEvent.DISCONNECT, true);
                }
            }
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
                // Its handshake is not done.
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
