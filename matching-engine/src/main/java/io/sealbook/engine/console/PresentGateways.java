package io.sealbook.engine.console;

import io.grpc.ChannelCredentials;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import io.sealbook.tls.endpoint.UnreachableChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The gateways of the nodes that the executed blocks name, where their signed records say that they are; without a
 * record, where the chain says. One thread at a time; close it after use.
 */
final class PresentGateways implements AutoCloseable {
    private final AgreedMarket market;
    private final ChannelCredentials credentials;
    private final EndpointBook book;
    private final Map<Address, ManagedChannel> channels = new HashMap<>();
    /** By node: the sum of serial numbers that it reported when it was last asked for records. */
    private final Map<Integer, Long> askedFor = new HashMap<>();

    private record Address(String host, int port) {
        static Address of(Node node) {
            return new Address(node.getHost(), node.getGatewayPort());
        }
    }

    /**
     * Connects when it is asked first.
     *
     * @param market names the nodes
     * @param credentials to connect with
     */
    PresentGateways(AgreedMarket market, ChannelCredentials credentials) {
        this.market = market;
        this.credentials = credentials;
        this.book = new EndpointBook(market.genesis().getChainId());
    }

    /** Returns the present nodes at their present addresses, and closes the channels to all others. */
    List<Node> nodes() {
        List<Node> nodes =
                market.present().getNodesList().stream().map(book::present).toList();
        Set<Address> addresses = nodes.stream().map(Address::of).collect(Collectors.toSet());
        List<Address> left = new ArrayList<>(channels.keySet());
        left.removeAll(addresses);
        left.forEach(address -> channels.remove(address).shutdownNow());
        return nodes;
    }

    /** Returns the channel to a node's gateway, which stays this object's. */
    ManagedChannel channel(Node node) {
        ManagedChannel channel = channels.computeIfAbsent(Address.of(node), this::open);
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            // A node that comes back should be seen soon, not after the channel's growing pauses.
            channel.resetConnectBackoff();
        }
        return channel;
    }

    /** Returns whether the gateway of a node is connected, whether or not it answers. */
    boolean isConnected(Node node) {
        return channel(node).getState(false) == ConnectivityState.READY;
    }

    private ManagedChannel open(Address address) {
        return UnreachableChannel.unless(
                () -> NettyChannelBuilder.forAddress(address.host(), address.port(), credentials)
                        .directExecutor()
                        .build());
    }

    /**
     * Returns whether a node may have records that it had not when it was last asked.
     *
     * @param nodeId of the node
     * @param serials sum of the serial numbers of its records, as it reports
     */
    boolean mayHaveNews(int nodeId, long serials) {
        return askedFor.getOrDefault(nodeId, 0L) != serials;
    }

    /**
     * Takes the genuine records of present nodes.
     *
     * @param nodeId that answered
     * @param serials for which it was asked
     * @param records as they came; more than there are nodes are not looked at
     */
    void take(int nodeId, long serials, List<EndpointRecord> records) {
        askedFor.put(nodeId, serials);
        List<Node> present = market.present().getNodesList();
        records.stream().limit(present.size()).forEach(record -> book.offer(record, present));
    }

    @Override
    public void close() {
        channels.values().forEach(ManagedChannel::shutdownNow);
    }
}
