package io.sealbook.node.member;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayDeque;
import java.util.List;
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
    private volatile Present present;

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
    }

    /** Returns the membership at this moment. */
    public Membership membership() {
        return present.membership;
    }

    /** Returns the membership at this moment with what led to it. */
    public Present present() {
        return present;
    }

    /** Adds what is called with each new membership, on the committer's thread; it must be short. */
    public void onChange(Consumer<Membership> listener) {
        listeners.add(listener);
    }

    /**
     * Executes all transactions of an archive, silently: they were reported when their blocks came.
     *
     * @param archive the node's own
     * @throws io.sealbook.archive.administration.MembershipUnknownException if a block that must be read is not there
     * @throws io.sealbook.archive.BlockDamagedException if a block that must be read is damaged
     */
    public void restore(BlockArchive archive) {
        if (archive.lastSequence() > 0) {
            MembershipHistory.AsOf end = new MembershipHistory(archive, genesis).atEnd();
            end.entries().forEach(this::follow);
        }
    }

    /**
     * Executes the administrative transactions of a block, in its order.
     *
     * @param block in the archive; the next one that has any
     * @param headers of its batches
     */
    public void apply(Block block, BatchHeaders headers) {
        for (int i = 0; i < headers.count(); i++) {
            if (headers.brokerId(i) == SessionKey.ADMINISTRATION) {
                execute(block);
                return;
            }
        }
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
        present = new Present(entry.block(), entry.after(), List.copyOf(recent));
        return fate;
    }

    @Override
    public String toString() {
        Present now = present;
        return now.membership + " of block " + now.block;
    }
}
