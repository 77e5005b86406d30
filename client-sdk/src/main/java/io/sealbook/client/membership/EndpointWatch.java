package io.sealbook.client.membership;

import io.sealbook.client.connection.GatewayLink;
import io.sealbook.protocol.v1.EndpointRecord;
import io.sealbook.protocol.v1.Node;
import io.sealbook.tls.endpoint.EndpointBook;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Follows the addresses of nodes: each signs its own, so that one node's answer is enough, whoever it is. A node is
 * asked after its records have changed. Loop thread only.
 */
final class EndpointWatch {
    private final EndpointBook book;
    private final Consumer<List<Node>> onAddresses;
    private final Map<Integer, Long> askedFor = new HashMap<>();
    private List<Node> nodes;

    /**
     * Knows the first addresses.
     *
     * @param chainId of the genesis file
     * @param nodes until others are known
     * @param onAddresses gets all nodes at their present addresses after a change
     */
    EndpointWatch(long chainId, List<Node> nodes, Consumer<List<Node>> onAddresses) {
        this.book = new EndpointBook(chainId);
        this.nodes = nodes;
        this.onAddresses = onAddresses;
    }

    void onSerials(GatewayLink link, long serials) {
        if (askedFor.getOrDefault(link.nodeId(), 0L) != serials) {
            link.askEndpoints(serials);
        }
    }

    void onRecords(GatewayLink link, long serials, List<EndpointRecord> records) {
        askedFor.put(link.nodeId(), serials);
        boolean isNews = false;
        for (EndpointRecord record : records.subList(0, Math.min(records.size(), nodes.size()))) {
            isNews |= book.offer(record, nodes) == EndpointBook.Outcome.TAKEN;
        }
        if (isNews) {
            report();
        }
    }

    /** Returns the nodes of the chain as far as is known, where the chain has them. */
    List<Node> nodes() {
        return nodes;
    }

    /** Other nodes are those of the chain: their records count now. */
    void onNodes(List<Node> present) {
        if (!present.equals(nodes)) {
            nodes = present;
            askedFor.clear();
            report();
        }
    }

    private void report() {
        onAddresses.accept(nodes.stream().map(book::present).toList());
    }
}
