package io.sealbook.node.member;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The membership that follows from the genesis file and the blocks of this node's archive. Written by the committer
 * after each block that holds administrative batches, and by the start; read by any thread.
 */
public final class ChainMembership {
    /** Of the last transactions it is kept what became of them. */
    public static final int RECENT_MAX = 64;

    private final Genesis genesis;
    private final Consumer<TransactionFate> fates;
    private final CopyOnWriteArrayList<Consumer<Membership>> listeners = new CopyOnWriteArrayList<>();
    private final RefusedTransactions refused = new RefusedTransactions();
    private volatile Present present;
    private volatile AgreementEpoch epoch;
    /** Blocks that ended epochs, by the number of the epoch. */
    private final List<Long> epochEnds = new CopyOnWriteArrayList<>();

    /**
     * The membership after a block.
     *
     * @param block last one that changed it, or tried to; 0 if there is none
     * @param membership in effect from the next block on
     * @param recent what became of the last transactions, the newest last
     */
    public record Present(long block, Membership membership, List<TransactionFate> recent) {}

    /**
     * @param genesis of the chain, with its defaults
     * @param fates receives what became of each transaction
     */
    public ChainMembership(Genesis genesis, Consumer<TransactionFate> fates) {
        this.genesis = genesis;
        this.fates = fates;
        present = new Present(0, Membership.of(genesis), List.of());
        epoch = new AgreementEpoch(0, present.membership, StableCertificate.GENESIS);
    }

    /** Returns the membership at this moment. */
    public Membership membership() {
        return present.membership;
    }

    /** Returns the membership at this moment with what led to it. */
    public Present present() {
        return present;
    }

    /**
     * Returns the last block that must be there before the next transaction of a member is taken: one whose
     * transactions change nothing waits longer and longer.
     *
     * @param member its node id
     * @return 0 if it is taken at once
     */
    public long blockBeforeNextTransaction(int member) {
        return refused.blockBeforeNext(member);
    }

    /** Adds what is called with each new membership, on the committer's thread; it must be short. */
    public void onChange(Consumer<Membership> listener) {
        listeners.add(listener);
    }

    /** Returns the epoch in which this node's replica takes part until it is opened again. */
    public AgreementEpoch epoch() {
        return epoch;
    }

    /**
     * Returns the block that ended an epoch, 0 if the epoch has not ended here.
     *
     * @param number of the epoch, 0 or more
     */
    public long epochEnd(int number) {
        return number < epochEnds.size() ? epochEnds.get(number) : 0;
    }

    /**
     * Returns the certificate that ended an epoch.
     *
     * @param number of the epoch, 0 or more
     * @param archive the node's own
     * @return empty if the epoch has not ended here
     */
    public Optional<StableCertificate> endCertificate(int number, BlockArchive archive) {
        long end = epochEnd(number);
        return end == 0 ? Optional.empty() : certificate(archive, end);
    }

    /** Returns the block that ended the epoch of this node's replica, 0 if it has not ended. */
    public long epochEnd() {
        return epochEnd(epoch.number());
    }

    /**
     * Executes all transactions of an archive, silently: they were reported when their blocks came. Finds the epoch to
     * take part in: the last one that began, which needs the certificate of the block before it. The archive may have
     * lost that one, and the replica log has it.
     *
     * @param archive the node's own
     * @param logged certificates of the replica log
     * @throws OperatingFailureException if neither has that certificate
     * @throws io.sealbook.archive.administration.MembershipUnknownException if a block that must be read is not there
     * @throws io.sealbook.archive.BlockDamagedException if a block that must be read is damaged
     */
    public void restore(BlockArchive archive, List<StableCertificate> logged) {
        if (archive.lastSequence() > 0) {
            MembershipHistory history = new MembershipHistory(archive, genesis);
            history.visitEntries(this::follow);
            epoch = epochAtStart(archive, logged, history);
        }
    }

    private AgreementEpoch epochAtStart(
            BlockArchive archive, List<StableCertificate> logged, MembershipHistory history) {
        Membership last = present.membership;
        if (last.epoch() == 0) {
            return new AgreementEpoch(0, last, StableCertificate.GENESIS);
        }
        Optional<StableCertificate> origin = certificate(archive, logged, last.epochBlock());
        if (origin.isPresent()) {
            return new AgreementEpoch(last.epoch(), last, origin.get());
        }
        if (last.epochBlock() < archive.lastSequence()) {
            throw new OperatingFailureException("epoch " + last.epoch() + " begins after block " + last.epochBlock()
                    + ", whose certificate is lost; copy archive/certificates.log of another node");
        }
        // Not over: its last block is here, and lacks its certificate.
        Membership before = history.asOf(last.epochBlock()).membership();
        StableCertificate originBefore = before.epoch() == 0
                ? StableCertificate.GENESIS
                : certificate(archive, logged, before.epochBlock())
                        .orElseThrow(() -> new OperatingFailureException(
                                "the certificate of block " + before.epochBlock() + ", which ended an epoch, is lost"));
        return new AgreementEpoch(before.epoch(), before, originBefore);
    }

    private static Optional<StableCertificate> certificate(
            BlockArchive archive, List<StableCertificate> logged, long sequence) {
        return certificate(archive, sequence)
                .or(() -> logged.stream()
                        .filter(certificate -> certificate.sequence() == sequence)
                        .findFirst());
    }

    /**
     * Returns the certificate of a block itself, as agreement has it.
     *
     * @param archive the node's own
     * @param sequence of the block
     * @return empty if there is none
     */
    public static Optional<StableCertificate> certificate(BlockArchive archive, long sequence) {
        return archive.certificateAtOrAfter(sequence)
                .filter(certificate -> certificate.sequence() == sequence)
                .map(ChainMembership::stable);
    }

    private static StableCertificate stable(CheckpointCertificate archived) {
        List<ReplicaSignature> signatures = archived.signatures().stream()
                .map(signature -> new ReplicaSignature(signature.nodeId(), Signature.of(signature.signature())))
                .toList();
        return new StableCertificate(
                archived.sequence(),
                archived.chainHash(),
                archived.resultDigest(),
                archived.proposalDigest(),
                signatures);
    }

    /**
     * Executes the administrative transactions of a block, in its order.
     *
     * @param block in the archive; the next one that has any
     * @param headers of its batches
     * @return whether it has any
     */
    public boolean apply(Block block, BatchHeaders headers) {
        for (int i = 0; i < headers.count(); i++) {
            if (headers.brokerId(i) == SessionKey.ADMINISTRATION) {
                execute(block);
                return true;
            }
        }
        return false;
    }

    private void execute(Block block) {
        for (AdministrativeEntry entry : new MembershipPass(present.membership).onBlock(block)) {
            fates.accept(follow(entry));
            if (entry.isExecuted()) {
                listeners.forEach(listener -> listener.accept(entry.after()));
            }
        }
    }

    private TransactionFate follow(AdministrativeEntry entry) {
        if (entry.isExecuted()) {
            refused.onExecuted(present.membership, entry.after());
        } else {
            refused.note(entry.proposer());
        }
        ArrayDeque<TransactionFate> recent = new ArrayDeque<>(present.recent);
        if (recent.size() == RECENT_MAX) {
            recent.removeFirst();
        }
        TransactionFate fate = new TransactionFate(
                entry.block(),
                entry.terms().getNumber(),
                entry.proposer(),
                entry.batchId(),
                entry.refusal(),
                entry.terms().getReason());
        recent.addLast(fate);
        if (entry.after().epoch() > present.membership.epoch()) {
            epochEnds.add(entry.block());
        }
        present = new Present(entry.block(), entry.after(), List.copyOf(recent));
        return fate;
    }

    @Override
    public String toString() {
        Present now = present;
        return now.membership + " of block " + now.block;
    }
}
