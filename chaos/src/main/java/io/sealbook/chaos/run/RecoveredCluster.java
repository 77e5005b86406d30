package io.sealbook.chaos.run;

import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.NodeStatus;
import java.util.List;

/** When a cluster has recovered from a fault. */
final class RecoveredCluster {
    /** The state in which a node votes (docs/OPERATING.md). */
    private static final String NORMAL = "NORMAL";

    /** Half a log window, in blocks. */
    private static final long LAG_MAX = 64;

    private RecoveredCluster() {}

    /**
     * Returns whether all members take part in one view, all are ready, and none lags far.
     *
     * @param nodes of all members, at about one instant
     * @param engines of all members
     */
    static boolean isReady(List<NodeStatus> nodes, List<EngineState> engines) {
        long last = nodes.stream().mapToLong(NodeStatus::getLastDelivered).max().orElse(0);
        return nodes.stream()
                        .allMatch(node -> node.getReady() && isNormal(node) && isNear(node.getLastDelivered(), last))
                && nodes.stream().mapToLong(NodeStatus::getView).distinct().count() == 1
                && engines.stream().allMatch(engine -> isNear(engine.getLastExecuted(), last));
    }

    private static boolean isNormal(NodeStatus node) {
        return node.getState().equals(NORMAL);
    }

    private static boolean isNear(long block, long last) {
        return last - block <= LAG_MAX;
    }
}
