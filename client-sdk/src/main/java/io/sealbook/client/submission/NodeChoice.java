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
     * @param allLinks one per node, by node id
     * @param homeNode id of the node that goes first
     */
    void begin(List<GatewayLink> allLinks, int homeNode) {
        links = allLinks;
        home = homeNode;
        current = homeNode;
    }

    List<GatewayLink> links() {
        return links;
    }

    /**
     * Returns whether the home node has been asked and a node takes batches: a client does not begin elsewhere only
     * because another node answered sooner.
     */
    boolean mayBegin() {
        return links.get(home).isTried() && links.stream().anyMatch(GatewayLink::isUsable);
    }

    /**
     * Returns the node to send to; null if none takes batches.
     *
     * @param isIdle whether nothing is under way, so that the client may return to its home node
     */
    GatewayLink target(boolean isIdle) {
        if (current != home && isIdle && links.get(home).isUsable()) {
            current = home;
        }
        for (int i = 0; i < links.size(); i++) {
            int candidate = (current + i) % links.size();
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
