package io.sealbook.node.agent;

import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.SessionEnd;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A duty cycle of the replica: begun with the instant, fed with what has arrived, ended by carrying out what was
 * decided. Nothing else touches the replica. One thread.
 *
 * <pre>
 *   handOver ── true ─▶ begin ─▶ receive*, step* ─▶ end
 *       └────── false: the committer has no room; nothing is fed, so that what is kept stays bounded
 * </pre>
 */
public final class ReplicaCycle {
    /** The replica looks at its clock for payloads that are late. */
    private static final long PENDING_SLEEP_NS = 20_000_000;
    /** After this the committer is asked again for room. */
    private static final long COMMIT_RETRY_NS = 100_000;

    private final Replica replica;
    private final NodeState state;
    private final TimerDeadlines timers = new TimerDeadlines();
    private final QuietChain quietChain = new QuietChain();
    private final OutputExecutor executor;
    private final SessionOrder order;
    private final List<Output> outputs = new ArrayList<>();
    /** Batches that this cycle has made needless, unless a block of its outputs has them. */
    private final Set<SessionEnd> overtaken = new LinkedHashSet<>();
    /** What the replica hears before it starts; null once it has started. */
    private List<Input.BatchAvailable> restored;

    /** Sessions that were suspended before a restart. */
    private final List<Long> suspended;

    private int work;

    /**
     * @param replica restored from the log, not started
     * @param restored batches that are held since before a restart
     * @param context what its outputs are carried out on
     */
    public ReplicaCycle(Replica replica, List<Input.BatchAvailable> restored, AgentContext context) {
        this.replica = replica;
        this.restored = restored;
        this.state = context.state();
        this.executor = new OutputExecutor(context, timers);
        this.order = new SessionOrder(replica, this::feed);
        this.suspended = context.sessions().suspended();
        // Before its first cycle a restored replica must not look like a new one.
        publish();
    }

    /** Hands the committer what it had no room for; returns whether the cycle may go on. */
    public boolean handOver() {
        return executor.handOver();
    }

    /** Returns whether the cycle waits for room at the committer. */
    public boolean isHeldUp() {
        return executor.isHeldUp();
    }

    /** Begins a cycle at this instant, nanoseconds since 1970; the first one starts the replica. */
    public void begin(long wallNs) {
        work = 0;
        replica.step(new Input.Clock(wallNs), outputs);
        if (restored != null) {
            restored.forEach(this::step);
            suspended.forEach(sessionKey -> step(new Input.SessionWithdrawn(sessionKey)));
            restored = null;
            replica.start(outputs);
            work++;
        }
    }

    /** Feeds a message whose frame is authentic and whose signatures are all genuine. */
    public void receive(Message message) {
        if (message instanceof CheckpointProof proof) {
            executor.pass(proof.certificate());
        }
        step(new Input.Received(message));
    }

    /** Feeds an input of this node itself; a batch waits until those before it in its session are fed. */
    public void step(Input input) {
        switch (input) {
            case Input.BatchAvailable batch -> order.onAvailable(batch);
            case Input.BlockTransferred block -> {
                feed(block);
                // Its batches are in the archive, and payloads that are left have lost their number.
                block.ends().forEach(end -> executor.forget(order.onDelivered(end)));
            }
            case Input.SessionWithdrawn withdrawn -> {
                feed(withdrawn);
                overtaken.addAll(order.onWithdrawn(withdrawn.sessionKey()));
            }
            default -> feed(input);
        }
    }

    private void feed(Input input) {
        replica.step(input, outputs);
        work++;
    }

    /**
     * Feeds the timers that are due and the result of a quiet chain, carries out what was decided and publishes the
     * state.
     *
     * @param nowNs monotonic clock
     * @return how much was done; 0 when nothing had arrived
     */
    public int end(long nowNs) {
        timers.fire(nowNs, timer -> step(new Input.TimerFired(timer)));
        quietChain.look(state, nowNs).ifPresent(this::step);
        follow(nowNs);
        work += outputs.size();
        if (work > 0) {
            executor.carryOut(outputs, overtaken, nowNs);
            outputs.clear();
            overtaken.clear();
            publish();
        }
        return work;
    }

    /** Looks for what agreement fetches, and for what blocks have overtaken. Either may lead to more outputs. */
    private void follow(long nowNs) {
        for (int i = 0; i < outputs.size(); i++) {
            switch (outputs.get(i)) {
                case Output.Fetch fetch -> fetch(fetch, nowNs);
                case Output.Drop drop -> overtaken.addAll(drop.batches());
                case Output.Deliver deliver -> {
                    deliver.proposal().ends().forEach(end -> overtaken.addAll(order.onDelivered(end)));
                    overtaken.addAll(order.dropUnnamed());
                }
                case Output.ViewEntered entered -> order.onViewEntered();
                default -> {
                    // The executor's.
                }
            }
        }
    }

    private void fetch(Output.Fetch fetch, long nowNs) {
        List<BatchRange> missing = fetch.ranges().stream()
                .map(range -> fetch.isNamed() ? order.onNamed(range) : order.missing(range))
                .flatMap(Optional::stream)
                .toList();
        if (!missing.isEmpty()) {
            executor.request(missing, fetch, nowNs);
        }
    }

    /**
     * Returns how long nothing need be done if nothing arrives, in nanoseconds; {@code nowNs} is of the monotonic
     * clock.
     */
    public long idleNs(long nowNs) {
        if (executor.isHeldUp()) {
            return COMMIT_RETRY_NS;
        }
        long untilNext = timers.untilNext(nowNs);
        return replica.watchesClock() ? Math.min(untilNext, PENDING_SLEEP_NS) : untilNext;
    }

    private void publish() {
        state.agreement(new NodeState.Agreement(
                replica.view(),
                replica.primary(),
                replica.isViewActive(),
                replica.isolatedAt(),
                replica.lowWatermark(),
                replica.highWatermark(),
                replica.pendingCount()));
    }
}
