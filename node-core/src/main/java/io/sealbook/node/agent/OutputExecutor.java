package io.sealbook.node.agent;

import io.sealbook.archive.storage.StorageException;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.replicalog.ReplicaLogFailedException;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.StableCertificate;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Carries out what a duty cycle decided, in the order that makes it safe: everything is remembered before anything is
 * said, and said before blocks are delivered. Agent thread only.
 */
final class OutputExecutor {

    private final AgentContext context;
    private final TimerDeadlines timers;
    private final ProposalTimes proposals = new ProposalTimes();
    /**
     * For which the committer had no room. Bounded by what one duty cycle decides: the next begins when they are handed
     * over.
     */
    private final ArrayDeque<CommitTask> kept = new ArrayDeque<>();

    OutputExecutor(AgentContext context, TimerDeadlines timers) {
        this.context = context;
        this.timers = timers;
    }

    void carryOut(List<Output> outputs, long nowNs) {
        persist(outputs, nowNs);
        for (Output output : outputs) {
            if (output instanceof Output.Send send) {
                context.peers().send(send.to(), send.message());
            } else if (output instanceof Output.Broadcast broadcast) {
                context.spreading().broadcast(broadcast.message());
            }
        }
        for (Output output : outputs) {
            if (output instanceof Output.Deliver deliver) {
                long sequence = deliver.proposal().sequence();
                commit(new CommitTask.Deliver(deliver.proposal(), proposals.onDelivered(sequence, nowNs)));
            }
        }
        for (Output output : outputs) {
            doRest(output, nowNs);
        }
    }

    private void persist(List<Output> outputs, long nowNs) {
        boolean isDirty = false;
        try {
            for (Output output : outputs) {
                if (output instanceof Output.Persist persist) {
                    context.log().append(persist.record());
                    isDirty = true;
                    if (persist.record() instanceof ReplicaRecord.Accepted accepted) {
                        proposals.onAccepted(accepted.sequence(), nowNs);
                    }
                }
            }
            if (isDirty && context.durability().isDisk()) {
                context.log().sync();
            }
            if (isDirty) {
                // After the record: a mark without a record would be a lost log.
                context.voteMark().set();
            }
        } catch (ReplicaLogFailedException e) {
            throw new StorageFailureException("replica log", e);
        } catch (StorageException e) {
            throw new StorageFailureException("vote mark", e);
        }
    }

    private void doRest(Output output, long nowNs) {
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
            case Output.StartTimer start -> timers.start(start.timer(), nowNs, start.delayNs());
            case Output.StopTimer stop -> timers.stop(stop.timer());
            case Output.Fetch fetch -> {
                if (fetch.isNamed()) {
                    context.payloads().want(fetch.batchIds());
                }
                context.spreading().request(fetch.batchIds(), fetch.holders(), nowNs);
            }
            case Output.TransferState transfer -> {
                context.payloads().wantNothing();
                commit(new CommitTask.Transfer(transfer.target()));
            }
            case Output.StableCheckpoint stable -> onStable(stable.certificate());
            case Output.Drop drop -> onDrop(drop);
            case Output.ViewEntered entered -> context.events().viewEntered(entered.view(), entered.primary());
            case Output.Isolated isolated -> context.events().isolated(isolated);
            case Output.Ignored ignored -> context.events().ignored(ignored.message(), ignored.reason());
        }
    }

    private void onStable(StableCertificate certificate) {
        proposals.discardThrough(certificate.sequence());
        context.log().truncateBelow(certificate.sequence());
        context.peers().discardThrough(certificate.sequence());
        commit(new CommitTask.StoreCertificate(certificate));
    }

    private void onDrop(Output.Drop drop) {
        Payload payload = context.payloads().remove(drop.batchId());
        if (payload != null) {
            context.sessions().release(payload.sessionKey(), payload.number(), drop.batchId());
        }
    }

    /** Never waits: the committer may share this thread. */
    private void commit(CommitTask task) {
        kept.add(task);
        handOver();
    }

    /** Hands the committer what it had no room for, in order; returns whether it has everything now. */
    boolean handOver() {
        while (!kept.isEmpty() && context.commits().test(kept.peek())) {
            kept.remove();
        }
        return kept.isEmpty();
    }

    /** Returns whether something is kept for which the committer had no room. */
    boolean isHeldUp() {
        return !kept.isEmpty();
    }
}
