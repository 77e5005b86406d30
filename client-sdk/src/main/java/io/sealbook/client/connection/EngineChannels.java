package io.sealbook.client.connection;

import io.grpc.ManagedChannel;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Channels to the engines of the present nodes for questions: opened with the first question and kept, so that a
 * question costs no connection. Loop thread only.
 */
public final class EngineChannels {
    private final LinkConfig config;
    private final Map<Engine, ManagedChannel> channels = new HashMap<>();
    private boolean isClosed;

    /** Another machine may be the node at the same address: an open connection would lead to the former one. */
    private record Engine(NodeAddress address, PublicKey identity) {}

    /** @param config how channels are opened */
    public EngineChannels(LinkConfig config) {
        this.config = config;
    }

    /**
     * Returns a channel to the engine of each node, by the node's id; those of others are shut down.
     *
     * @param nodes the present ones, where they are
     * @throws IllegalStateException if closed
     */
    public Map<Integer, ManagedChannel> of(List<Node> nodes) {
        if (isClosed) {
            throw new IllegalStateException("channels are closed");
        }
        Map<Integer, ManagedChannel> present = new HashMap<>();
        Map<Engine, ManagedChannel> former = new HashMap<>(channels);
        for (Node node : nodes) {
            Engine engine = new Engine(NodeAddress.engineOf(node), node.getIdentity());
            former.remove(engine);
            ManagedChannel channel =
                    channels.computeIfAbsent(engine, to -> to.address().open(config));
            // A question is worth an attempt, however long ago the last one failed.
            channel.resetConnectBackoff();
            present.put(node.getNodeId(), channel);
        }
        former.forEach((engine, channel) -> {
            channels.remove(engine);
            channel.shutdownNow();
        });
        return present;
    }

    /** Shuts all channels down; questions on them fail. */
    public void close() {
        isClosed = true;
        channels.values().forEach(ManagedChannel::shutdownNow);
        channels.clear();
    }
}
