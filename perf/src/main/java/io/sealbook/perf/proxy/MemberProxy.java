package io.sealbook.perf.proxy;

import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Listens at the addresses of the genesis file and carries bytes to the members behind. Connections at the ports of
 * votes and payloads belong to the link of two members; those of brokers and engines are always good. Any thread.
 */
public final class MemberProxy implements AutoCloseable {
    private static final int BACKLOG = 256;
    private static final int FIRST_HOST = 10;

    private final LinkTable links;
    private final List<ServerSocket> listeners = new ArrayList<>();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

    private MemberProxy(LinkTable links) {
        this.links = links;
    }

    /** Returns the loopback address at which a member must listen. */
    public static String memberHost(int nodeId) {
        return "127.0.0." + (FIRST_HOST + nodeId);
    }

    /**
     * Listens for all members.
     *
     * @param genesis whose addresses are 127.0.0.1 with ports that are free
     * @param links conditions; stays the caller's
     * @throws IOException if a port is taken
     */
    public static MemberProxy start(Genesis genesis, LinkTable links) throws IOException {
        MemberProxy proxy = new MemberProxy(links);
        try {
            for (Node node : genesis.getNodesList()) {
                proxy.listen(node.getNodeId(), node.getVotePort(), true);
                proxy.listen(node.getNodeId(), node.getPayloadPort(), true);
                proxy.listen(node.getNodeId(), node.getGatewayPort(), false);
                proxy.listen(node.getNodeId(), node.getEnginePort(), false);
            }
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
        return proxy;
    }

    private void listen(int nodeId, int port, boolean isPeerPort) throws IOException {
        listen(nodeId, port, new InetSocketAddress(memberHost(nodeId), port), isPeerPort);
    }

    /**
     * Listens at a port of 127.0.0.1, 0 for any.
     *
     * @param nodeId of the member behind
     * @param port to listen at
     * @param member where the member listens
     * @param isPeerPort whether dialers are members
     * @return the port
     */
    int listen(int nodeId, int port, InetSocketAddress member, boolean isPeerPort) throws IOException {
        ServerSocket listener = new ServerSocket();
        listeners.add(listener);
        listener.setReuseAddress(true);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        Thread.startVirtualThread(() -> accept(listener, nodeId, member, isPeerPort));
        return listener.getLocalPort();
    }

    /** Returns a proxy without listeners, for tests. */
    static MemberProxy of(LinkTable links) {
        return new MemberProxy(links);
    }

    private void accept(ServerSocket listener, int nodeId, InetSocketAddress member, boolean isPeerPort) {
        while (!listener.isClosed()) {
            try {
                Socket dialer = listener.accept();
                ProxiedConnection[] connection = new ProxiedConnection[1];
                connection[0] =
                        new ProxiedConnection(dialer, member, nodeId, links, () -> connections.remove(connection[0]));
                connections.add(connection[0]);
                connection[0].start(isPeerPort);
            } catch (IOException e) {
                // Closed, or out of descriptors for a moment.
            }
        }
    }

    /** Ends the connections whose link is cut now. */
    public void cutConnections() {
        connections.stream().filter(ProxiedConnection::isCut).forEach(ProxiedConnection::close);
    }

    @Override
    public void close() {
        for (ServerSocket listener : listeners) {
            try {
                listener.close();
            } catch (IOException e) {
                // It is of no use any more.
            }
        }
        connections.forEach(ProxiedConnection::close);
    }
}
