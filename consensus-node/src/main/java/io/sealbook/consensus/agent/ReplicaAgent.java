package io.sealbook.consensus.agent;

import io.sealbook.node.agent.AgentContext;
import io.sealbook.node.agent.OutputExecutor;
import io.sealbook.node.agent.Timers;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Replica;
import io.sealbook.peer.PeerInbox;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.EpochNanoClock;

/**
 * The duty cycle around the replica: reads the clocks once, feeds what has arrived, carries out what was decided.
 * Nothing else touches the replica. A failure of storage ends the cycle: the replica is silent from then on, which is
 * safe.
 */
public final class ReplicaAgent extends DutyCycle {
    private static final int INPUTS_PER_CYCLE = 256;
    /** The replica looks at its clock for payloads that are late. */
    private static final long PENDING_SLEEP_NS = 20_000_000;
    /** After this the committer is asked again for room. */
    private static final long COMMIT_RETRY_NS = 100_000;

    private final Replica replica;
    private final PeerInbox peerInbox;
    private final AgentInbox inbox;
    private final EpochNanoClock clock;
    private final NodeState state;
    private final Timers timers = new Timers();
    private final OutputExecutor executor;
    private final List<Output> outputs = new ArrayList<>();
    private boolean hasStarted;

    public ReplicaAgent(
            Replica replica, PeerInbox peerInbox, AgentInbox inbox, EpochNanoClock clock, AgentContext context) {
        this.replica = replica;
        this.peerInbox = peerInbox;
        this.inbox = inbox;
        this.clock = clock;
        this.state = context.state();
        this.executor = new OutputExecutor(context, timers);
        inbox.onPut(this::wakeUp);
        peerInbox.setWakeup(this::wakeUp);
    }

    @Override
    public boolean hasWork() {
        return !executor.isHeldUp() && (!inbox.isEmpty() || !peerInbox.isEmpty());
    }

    @Override
    public long idleNs() {
        if (executor.isHeldUp()) {
            return COMMIT_RETRY_NS;
        }
        long untilNext = timers.untilNext(System.nanoTime());
        return replica.pendingCount() > 0 ? Math.min(untilNext, PENDING_SLEEP_NS) : untilNext;
    }

    @Override
    public int doWork() {
        if (!executor.handOver()) {
            // Nothing is decided meanwhile, so that what is kept stays bounded.
            return 0;
        }
        long nowNanos = System.nanoTime();
        replica.step(new Input.Clock(clock.nanoTime()), outputs);
        int work = 0;
        if (!hasStarted) {
            hasStarted = true;
            replica.start(outputs);
            work++;
        }
        work += peerInbox.drain(message -> step(new Input.Received(message)), INPUTS_PER_CYCLE);
        work += inbox.drain(this::step, INPUTS_PER_CYCLE);
        work += timers.fire(nowNanos, timer -> step(new Input.TimerFired(timer)));
        work += outputs.size();
        if (work > 0) {
            executor.carryOut(outputs, nowNanos);
            outputs.clear();
            publish();
        }
        return work;
    }

    private void step(Input input) {
        replica.step(input, outputs);
    }

    private void publish() {
        state.agreement(new NodeState.Agreement(
                replica.view(),
                replica.primary(),
                replica.isViewActive(),
                replica.lowWatermark(),
                replica.highWatermark(),
                replica.pendingCount()));
    }
}
