package io.sealbook.consensus.agent;

import io.sealbook.node.agent.ReplicaCycle;
import io.sealbook.peer.PeerInbox;
import org.agrona.concurrent.EpochNanoClock;

/**
 * The duty cycle around the replica: reads the clocks once, feeds what has arrived, has carried out what was decided. A
 * failure of storage ends the cycle: the replica is silent from then on, which is safe.
 */
public final class ReplicaAgent extends DutyCycle {
    private static final int INPUTS_PER_CYCLE = 256;

    private final ReplicaCycle cycle;
    private final PeerInbox peerInbox;
    private final AgentInbox inbox;
    private final EpochNanoClock clock;

    /**
     * @param cycle driven by this agent only
     * @param peerInbox checked votes
     * @param inbox what this node itself has to tell agreement
     * @param clock gives the time of blocks
     */
    public ReplicaAgent(ReplicaCycle cycle, PeerInbox peerInbox, AgentInbox inbox, EpochNanoClock clock) {
        this.cycle = cycle;
        this.peerInbox = peerInbox;
        this.inbox = inbox;
        this.clock = clock;
        inbox.onPut(this::wakeUp);
        peerInbox.setWakeup(this::wakeUp);
    }

    @Override
    public boolean hasWork() {
        return !cycle.isHeldUp() && (!inbox.isEmpty() || !peerInbox.isEmpty());
    }

    @Override
    public long idleNs() {
        return cycle.idleNs(System.nanoTime());
    }

    @Override
    public int doWork() {
        if (!cycle.handOver()) {
            return 0;
        }
        long nowNs = System.nanoTime();
        cycle.begin(clock.nanoTime());
        // Heartbeat periods may have waited in the inbox: they are over before what peers say now.
        inbox.drain(cycle::step, INPUTS_PER_CYCLE);
        peerInbox.drain(cycle::receive, INPUTS_PER_CYCLE);
        return cycle.end(nowNs);
    }
}
