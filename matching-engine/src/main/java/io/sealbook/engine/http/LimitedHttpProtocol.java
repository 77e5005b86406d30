package io.sealbook.engine.http;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1 connector with a limit of connections per address, WebSockets included. Tomcat itself limits them
 * in total ({@code server.tomcat.max-connections}) and in time ({@code server.tomcat.connection-timeout}). Tomcat makes
 * it by name and configures it afterwards.
 */
public final class LimitedHttpProtocol extends Http11NioProtocol {
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
