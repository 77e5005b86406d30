package io.sealbook.consensus;

import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Quorum;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the view of a primary that is stopped: the others need not find out that it is gone. Any thread but those of
 * agreement.
 */
final class HandOver {
    private static final Logger log = LoggerFactory.getLogger(HandOver.class);
    /** A view change of nodes that are well takes milliseconds; on a machine that is full, some hundred. */
    private static final long WAIT_MAX_NS = 2_000_000_000L;

    private static final long POLL_NS = 1_000_000;

    private final int nodeId;
    private final NodeState state;
    private final AgentInbox inbox;

    /**
     * @param nodeId of this node
     * @param state of it, as agreement reports it
     * @param inbox of agreement, which runs
     */
    HandOver(int nodeId, NodeState state, AgentInbox inbox) {
        this.nodeId = nodeId;
        this.state = state;
        this.inbox = inbox;
    }

    /**
     * Ends the view if this node is its primary, and waits until the next one has begun, at most two seconds. Returns
     * at once if too few are connected for another view.
     *
     * @param nodeCount nodes of the epoch
     * @param connectedCount others that are connected
     */
    void run(int nodeCount, int connectedCount) {
        if (!leads() || connectedCount < Quorum.of(nodeCount).size() - 1) {
            return;
        }
        long startNs = System.nanoTime();
        inbox.offer(new Input.HandOver());
        while (leads() && System.nanoTime() - startNs < WAIT_MAX_NS) {
            LockSupport.parkNanos(POLL_NS);
        }
        log.info(
                "view {} after {} ms of handing over; its primary is node {}",
                state.agreement().view(),
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs),
                state.agreement().primary());
    }

    /** Returns whether this node is the primary, or waits for the next view. An isolated one can do nothing for it. */
    private boolean leads() {
        NodeState.Agreement present = state.agreement();
        return present.isolatedAt() == 0 && (present.primary() == nodeId || !present.isViewActive());
    }
}
