package io.sealbook.node.agent;

import io.sealbook.node.commit.CommitTask;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.replicalog.ReplicaLogFailedException;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.StableCertificate;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a duty cycle decided, in the order that makes it safe: everything is remembered before anything is
 * said, and said before blocks are delivered. Agent thread only.
 */
public final class OutputExecutor {
    private static final Logger log = LoggerFactory.getLogger(OutputExecutor.class);

    private final AgentContext context;
    private final Timers timers;
    /**
     * For which the committer had no room. Bounded by what one duty cycle decides: the next begins when they are handed
     * over.
     */
    private final ArrayDeque<CommitTask> kept = new ArrayDeque<>();

    public OutputExecutor(AgentContext context, Timers timers) {
        this.context = context;
        this.timers = timers;
    }

    public void carryOut(List<Output> outputs, long nowNanos) {
        persist(outputs);
        for (Output output : outputs) {
            if (output instanceof Output.Send send) {
                context.peers().send(send.to(), send.message());
            } else if (output instanceof Output.Broadcast broadcast) {
                context.peers().broadcast(broadcast.message());
            }
        }
        for (Output output : outputs) {
            if (output instanceof Output.Deliver deliver) {
                commit(new CommitTask.Deliver(deliver.proposal()));
            }
        }
        for (Output output : outputs) {
            doRest(output, nowNanos);
        }
    }

    private void persist(List<Output> outputs) {
        boolean isDirty = false;
        try {
            for (Output output : outputs) {
                if (output instanceof Output.Persist persist) {
                    context.log().append(persist.record());
                    isDirty = true;
                }
            }
            if (isDirty && context.durability().isDisk()) {
                context.log().sync();
            }
        } catch (ReplicaLogFailedException e) {
            throw new StorageFailureException("replica log", e);
        }
    }

    private void doRest(Output output, long nowNanos) {
        switch (output) {
            case Output.Persist persist -> {
                // Done before anything was said.
            }
            case Output.Send send -> {
                // Done.
            }
            case Output.Broadcast broadcast -> {
                // Done.
            }
            case Output.Deliver deliver -> {
                // Done.
            }
            case Output.StartTimer start -> timers.start(start.timer(), nowNanos, start.delayNs());
            case Output.StopTimer stop -> timers.stop(stop.timer());
            case Output.Fetch fetch -> {
                context.payloads().want(fetch.batchIds());
                context.peers().requestBatches(fetch.batchIds(), fetch.holders());
            }
            case Output.TransferState transfer -> {
                context.payloads().wantNothing();
                commit(new CommitTask.Transfer(transfer.target()));
            }
            case Output.StableCheckpoint stable -> onStable(stable.certificate());
            case Output.Drop drop -> onDrop(drop);
            case Output.ViewEntered entered -> {
                context.metrics().viewEntered();
                log.info("view {}: primary is node {}", entered.view(), entered.primary());
            }
            case Output.Isolated isolated -> {
                context.state().isolate(isolated.sequence());
                log.error(
                        "ISOLATED at checkpoint {}: this node has {}, the others have {}; it votes no more",
                        isolated.sequence(),
                        isolated.own(),
                        isolated.agreed());
            }
            case Output.Ignored ignored -> {
                context.metrics().ignored();
                if (ignored.reason().isFault()) {
                    log.warn(
                            "refused {} of node {}: {}",
                            ignored.message().getClass().getSimpleName(),
                            ignored.message().sender(),
                            ignored.reason());
                }
            }
        }
    }

    private void onStable(StableCertificate certificate) {
        context.log().truncateBelow(certificate.sequence());
        context.peers().discardThrough(certificate.sequence());
        commit(new CommitTask.StoreCertificate(certificate));
    }

    private void onDrop(Output.Drop drop) {
        Payload payload = context.payloads().remove(drop.batchId());
        if (payload != null) {
            context.nonces().release(payload.brokerId(), payload.nonce(), drop.batchId());
        }
    }

    /** Never waits: the committer may share this thread. */
    private void commit(CommitTask task) {
        kept.add(task);
        handOver();
    }

    /** Hands the committer what it had no room for, in order; returns whether it has everything now. */
    public boolean handOver() {
        while (!kept.isEmpty() && context.commits().test(kept.peek())) {
            kept.remove();
        }
        return kept.isEmpty();
    }

    /** Tells whether something is kept for which the committer had no room. */
    public boolean isHeldUp() {
        return !kept.isEmpty();
    }
}
