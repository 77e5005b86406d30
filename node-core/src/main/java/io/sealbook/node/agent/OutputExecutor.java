package io.sealbook.node.agent;

import io.sealbook.archive.storage.StorageException;
import io.sealbook.node.evidence.MemberEvidence;
import io.sealbook.node.payload.BlockBatches;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.replicalog.ReplicaLogFailedException;
import io.sealbook.pbft.Output;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.StableCertificate;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Set;

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

    /**
     * Carries out a duty cycle.
     *
     * @param outputs in their order
     * @param overtaken batches that are forgotten, unless a block of these outputs has them
     * @param nowNs monotonic clock
     */
    void carryOut(List<Output> outputs, Set<SessionEnd> overtaken, long nowNs) {
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
                List<Payload> batches =
                        BlockBatches.of(deliver.proposal(), deliver.ranges(), deliver.isInOrder(), context.payloads());
                commit(new CommitTask.Deliver(deliver.proposal(), batches, proposals.onDelivered(sequence, nowNs)));
                batches.forEach(
                        batch -> overtaken.remove(new SessionEnd(batch.sessionKey(), batch.number(), batch.batchId())));
            }
        }
        forget(overtaken);
        for (Output output : outputs) {
            doRest(output, nowNs);
        }
        context.evidence().retry(nowNs);
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
                if (persist.record() instanceof ReplicaRecord.IsolationEnded ended) {
                    context.events().isolationEnded(ended.checkpoint());
                }
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
                // Done by the cycle, which knows what is here.
            }
            case Output.ShowEvidence show ->
                context.evidence()
                        .read(show.sessionKey())
                        .ifPresent(evidence -> context.spreading().show(evidence, show.to()));
            case Output.DoubleVoted voted -> {
                keep(voted.evidence());
                voted.messages().forEach(context.peers()::broadcast);
            }
            case Output.TransferState transfer -> {
                context.payloads().wantNothing();
                commit(new CommitTask.Transfer(transfer.target()));
            }
            case Output.StableCheckpoint stable -> onStable(stable.certificate());
            case Output.Drop drop -> {
                // Done by the cycle, which knows what the blocks of these outputs hold.
            }
            case Output.ViewEntered entered -> context.events().viewEntered(entered.view(), entered.primary());
            case Output.Isolated isolated -> context.events().isolated(isolated);
            case Output.Ignored ignored -> context.events().ignored(ignored.message(), ignored.reason());
        }
    }

    private void keep(DoubleVote vote) {
        MemberEvidence evidence = new MemberEvidence(context.identityKeyIds().applyAsInt(vote.replica()), vote);
        if (context.evidence().add(evidence)) {
            context.events().doubleVoted(evidence);
        }
    }

    private void onStable(StableCertificate certificate) {
        proposals.discardThrough(certificate.sequence());
        context.log().truncateBelow(certificate.sequence());
        context.peers().discardThrough(certificate.sequence());
        commit(new CommitTask.StoreCertificate(certificate));
    }

    /** Passes on a certificate that a peer sent. */
    void pass(StableCertificate certificate) {
        commit(new CommitTask.CertificateReceived(certificate));
    }

    /** Forgets batches that no block will hold. */
    void forget(Collection<SessionEnd> batches) {
        for (SessionEnd batch : batches) {
            context.payloads().remove(batch.id());
            context.sessions().release(batch.sessionKey(), batch.number(), batch.id());
        }
    }

    /**
     * Asks for batches that agreement needs.
     *
     * @param missing what is not here
     * @param fetch that agreement asked for
     * @param nowNs monotonic clock
     */
    void request(List<BatchRange> missing, Output.Fetch fetch, long nowNs) {
        if (fetch.isNamed()) {
            context.payloads()
                    .want(missing.stream().map(range -> range.last().id()).toList());
        }
        context.spreading().request(missing, fetch.holders(), nowNs);
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
