package io.sealbook.engine.http;

import io.sealbook.tls.TlsIdentity;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
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
 * Tomcat's HTTP/1.1 connector with a limit of connections per address, WebSockets included, and with the engine's TLS.
 * Tomcat itself limits connections in total ({@code server.tomcat.max-connections}) and in time
 * ({@code server.tomcat.connection-timeout}). Tomcat makes it by name and configures it afterwards.
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
     * @param perAddressMax open connections of one address, at least 1
     * @param onRefused is given the remote address of each connection that is closed, and the reason; must not wait
     */
    void limit(int perAddressMax, BiConsumer<Object, String> onRefused) {
        LimitedEndpoint endpoint = (LimitedEndpoint) getEndpoint();
        endpoint.perAddressMax = perAddressMax;
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
        private int perAddressMax;
        private BiConsumer<Object, String> onRefused = (remote, reason) -> {};

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            InetAddress address = socket.socket().getInetAddress();
            if (address == null) {
                // The client has closed it already.
                return refused(socket);
            }
            if (openCount(address.getHostAddress()) >= perAddressMax) {
                onRefused.accept(
                        socket.socket().getRemoteSocketAddress(),
                        "address " + address.getHostAddress() + " has " + perAddressMax
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

        /** Ends connections as Tomcat ends those that its client has left: after a request that is being answered. */
        void review(Predicate<SSLSession> isTrusted) {
            for (SocketWrapperBase<NioChannel> connection : getConnections()) {
                SSLEngine tls =
                        connection.getSocket() instanceof SecureNioChannel secure ? secure.getSslEngine() : null;
                if (tls != null && !isTrusted.test(tls.getSession())) {
                    processSocket(connection, SocketEvent.DISCONNECT, true);
                }
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
