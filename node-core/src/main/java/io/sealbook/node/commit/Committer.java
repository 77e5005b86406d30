package io.sealbook.node.commit;

import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.repair.ArchiveRepair;
import io.sealbook.node.transfer.StateTransfer;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.message.StableCertificate;
import java.util.ArrayDeque;
import java.util.TreeMap;

/**
 * The only writer of the archive and of the sink of blocks. Carries out tasks in the order in which they come. While
 * blocks are transferred it also runs the transfer's timeouts. One thread.
 */
public final class Committer {
    /**
     * A node that is only so far behind still verifies and spreads batches as well as any: sending its brokers
     * elsewhere for the moment would help no broker and change the order of their batches.
     */
    private static final long SHORT_TRANSFER_BLOCKS_MAX = 256;

    private static final int CERTIFICATES_WAITING_MAX = 64;
    /** After this the agent is asked again for room. */
    private static final long INBOX_RETRY_NS = 100_000;

    private final CommitContext context;
    private final BlockAppender appender;
    private final StateTransfer transfer;
    private final ArchiveRepair repair;
    private final TreeMap<Long, StableCertificate> waitingCertificates = new TreeMap<>();

    /** For which the agent had no room. Nothing further is adopted meanwhile, which bounds them. */
    private final ArrayDeque<Input> unsent = new ArrayDeque<>();

    /**
     * @param context what it works on
     * @param transfer fetches blocks from peers
     * @param repair fetches what is damaged from peers
     */
    public Committer(CommitContext context, StateTransfer transfer, ArchiveRepair repair) {
        this.repair = repair;
        this.context = context;
        this.appender = new BlockAppender(context);
        this.transfer = transfer;
    }

    /** Returns how long {@link #resume} and {@link #onTick} need not be called, in nanoseconds. */
    public long idleNs() {
        if (!unsent.isEmpty()) {
            return INBOX_RETRY_NS;
        }
        long untilRepair = repair.isRunning() ? repair.tickIntervalNs() : Long.MAX_VALUE;
        return transfer.isRunning() ? Math.min(transfer.tickIntervalNs(), untilRepair) : untilRepair;
    }

    /**
     * Sends the agent what it had no room for, and goes on with what waited for that.
     *
     * @return how much was sent
     */
    public int resume() {
        if (unsent.isEmpty()) {
            return 0;
        }
        int sent = sendUnsent();
        adoptVerified();
        return sent;
    }

    /** Asks again what a transfer or a repair was not answered in time. */
    public void onTick(long nowNs) {
        if (repair.isRunning()) {
            repair.onTick(nowNs);
        }
        if (transfer.isRunning()) {
            transfer.onTick(nowNs);
        }
    }

    /**
     * Carries out the next task.
     *
     * @param task in the order in which tasks came
     * @param nowNs monotonic clock
     */
    public void carryOut(CommitTask task, long nowNs) {
        switch (task) {
            case CommitTask.Deliver deliver -> {
                if (appender.deliver(deliver)) {
                    tellAdministration(deliver.proposal().sequence());
                }
                storeReachedCertificates();
            }
            case CommitTask.StoreCertificate store -> {
                waitingCertificates.put(store.certificate().sequence(), store.certificate());
                if (waitingCertificates.size() > CERTIFICATES_WAITING_MAX) {
                    waitingCertificates.pollFirstEntry();
                }
                storeReachedCertificates();
            }
            case CommitTask.CertificateReceived received -> onCertificate(received.certificate());
            case CommitTask.Transfer start -> {
                if (context.membership().epochEnd() > 0) {
                    // To a block of a later epoch. What this one lacks is its last certificate, which peers send.
                    return;
                }
                transfer.start(
                        start.target(),
                        context.state().lastBlock(),
                        context.membership().membership(),
                        nowNs);
                context.state().catchingUp(transfer.distance() > SHORT_TRANSFER_BLOCKS_MAX);
                adoptVerified();
            }
            case CommitTask.BlocksReceived received -> {
                if (repair.onBlocks(
                        received.source(), received.from(), received.blocks(), received.certificate(), nowNs)) {
                    return;
                }
                transfer.onBlocks(received.source(), received.from(), received.blocks(), received.certificate(), nowNs);
                adoptVerified();
            }
            case CommitTask.BlocksChecked done -> {
                transfer.onChecked(done.checked(), nowNs);
                adoptVerified();
            }
            case CommitTask.DamageFound ignored -> repair.onTick(nowNs);
            case CommitTask.RepairJudged judged -> repair.onJudged(judged.verdict(), nowNs);
        }
    }

    private void storeReachedCertificates() {
        long last = context.state().lastBlock().sequence();
        while (!waitingCertificates.isEmpty() && waitingCertificates.firstKey() <= last) {
            StableCertificate certificate = waitingCertificates.pollFirstEntry().getValue();
            if (certificate.sequence() > 0) {
                store(certificate);
            }
        }
    }

    /**
     * Appends what the transfer has proven and, when it has reached its target, tells agreement. Pauses while the agent
     * has no room and never waits for it: the agent may share this thread, or wait for this committer.
     */
    private void adoptVerified() {
        while (unsent.isEmpty()) {
            DecodedBlock block = transfer.pollVerified();
            if (block == null) {
                completeTransfer();
                return;
            }
            boolean hasAdministration = appender.adopt(block);
            context.events().transferred(1);
            tellAgent(new Input.BlockTransferred(
                    block.header().sequence(), block.header().proposalDigest(), block.ends()));
            if (hasAdministration) {
                tellAdministration(block.header().sequence());
            }
            if (block.header().sequence() == context.membership().epochEnd()) {
                // A certificate of a later epoch was the target: its blocks belong to other replicas.
                transfer.stopAfter(block.header().sequence());
            }
        }
    }

    private void tellAdministration(long sequence) {
        boolean endsEpoch = context.membership().epochEnd() == sequence;
        tellAgent(new Input.AdministrationExecuted(sequence, endsEpoch));
    }

    private void onCertificate(StableCertificate certificate) {
        if (certificate.sequence() == context.membership().epochEnd() && transfer.proves(archived(certificate))) {
            store(certificate);
        }
    }

    /** The certificate of the last block of an epoch ends it. */
    private void store(StableCertificate certificate) {
        context.archive().putCertificate(archived(certificate));
        if (certificate.sequence() == context.membership().epochEnd()) {
            context.epochEnded().accept(certificate);
        }
    }

    private void completeTransfer() {
        transfer.takeCertificates().forEach(context.archive()::putCertificate);
        StableCertificate reached = transfer.pollReached();
        if (reached != null) {
            store(reached);
            context.state().catchingUp(false);
            tellAgent(new Input.StateTransferred(reached.sequence(), reached.chainHash(), reached));
        }
    }

    private void tellAgent(Input input) {
        unsent.add(input);
        sendUnsent();
    }

    /** Sends what the agent had no room for, in order; returns how much it was. */
    private int sendUnsent() {
        int sent = 0;
        while (!unsent.isEmpty() && context.agent().test(unsent.peek())) {
            unsent.remove();
            sent++;
        }
        return sent;
    }

    /** Returns the form of a certificate that the archive keeps and strangers check. */
    public static CheckpointCertificate archived(StableCertificate certificate) {
        return new CheckpointCertificate(
                certificate.sequence(),
                certificate.chainHash(),
                certificate.resultDigest(),
                certificate.proposalDigest(),
                certificate.signatures().stream()
                        .map(signature -> new CertificateSignature(
                                signature.replica(), signature.signature().bytes()))
                        .toList());
    }
}
