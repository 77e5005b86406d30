package io.sealbook.client.submission;

import io.sealbook.client.connection.GatewayLink;
import io.sealbook.client.metrics.ClientCounters;
import java.util.List;

/** Which node batches are sent to: the home node while it is healthy, else the next one that is. Loop thread only. */
final class NodeChoice {
    private final ClientCounters counters;
    private List<GatewayLink> links = List.of();
    private int home;
    private int current;

    NodeChoice(ClientCounters counters) {
        this.counters = counters;
    }

    /**
     * Begins with the home node.
     *
     * @param allLinks one per node, by node id; nodes come and go at its end
     * @param homeNode id of the node that goes first; it may come later
     */
    void begin(List<GatewayLink> allLinks, int homeNode) {
        links = allLinks;
        home = homeNode;
        current = homeNode % links.size();
    }

    List<GatewayLink> links() {
        return links;
    }

    /**
     * Returns whether the home node has been asked and a node takes batches: a client does not begin elsewhere only
     * because another node answered sooner.
     */
    boolean mayBegin() {
        return homeLink().isTried() && links.stream().anyMatch(GatewayLink::isUsable);
    }

    /** Returns the home node's link; another one's while there is no such node. */
    private GatewayLink homeLink() {
        return links.get(home % links.size());
    }

    /**
     * Returns the node to send to; null if none takes batches.
     *
     * @param isIdle whether nothing is under way, so that the client may return to its home node
     */
    GatewayLink target(boolean isIdle) {
        int size = links.size();
        if (current != home % size && isIdle && homeLink().isUsable()) {
            current = home % size;
        }
        for (int i = 0; i < size; i++) {
            int candidate = (current + i) % size;
            if (links.get(candidate).isUsable()) {
                if (candidate != current) {
                    current = candidate;
                    counters.failovers.increment();
                }
                return links.get(candidate);
            }
        }
        return null;
    }
}
