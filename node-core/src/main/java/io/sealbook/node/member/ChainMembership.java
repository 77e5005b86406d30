package io.sealbook.node.member;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.OperatingFailureException;
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
     * @param archive the node's own; the header of each block names the one to read before it
     * @throws OperatingFailureException if a block that must be read is not in the archive
     */
    public void restore(BlockArchive archive) {
        ArrayDeque<Block> blocks = new ArrayDeque<>();
        long sequence = archive.read(archive.lastSequence())
                .map(last -> Block.wrap(last).lastAdministrationBlock())
                .orElse(0L);
        while (sequence > 0) {
            long wanted = sequence;
            Block block = Block.wrap(archive.read(wanted)
                    .orElseThrow(() -> new OperatingFailureException("block " + wanted
                            + " holds administrative transactions and is not in the archive, which begins with block "
                            + archive.firstSequence() + "; copy archive/ of another node")));
            blocks.addFirst(block);
            sequence = block.header().administrationBlock();
        }
        for (Block block : blocks) {
            apply(block, new HeadersInPlace(block), fate -> {});
        }
    }

    /**
     * Executes the administrative transactions of a block, in its order.
     *
     * @param block in the archive; the next one that has any
     * @param headers of its batches
     */
    public void apply(Block block, BatchHeaders headers) {
        apply(block, headers, fates);
    }

    private void apply(Block block, BatchHeaders headers, Consumer<TransactionFate> told) {
        for (int i = 0; i < headers.count(); i++) {
            if (headers.brokerId(i) == SessionKey.ADMINISTRATION) {
                execute(block, i, told);
            }
        }
    }

    private void execute(Block block, int index, Consumer<TransactionFate> told) {
        BatchView batch = new BatchView().wrap(block.array(), block.batchOffset(index), block.batchLength(index));
        if (!batch.isAdministrative()) {
            return;
        }
        byte[] transaction = AdministrativeBatch.transaction(batch);
        long sequence = block.header().sequence();
        Present before = present;
        Membership.Outcome outcome = before.membership.apply(transaction, sequence);
        ArrayDeque<TransactionFate> recent = new ArrayDeque<>(before.recent);
        if (recent.size() == RECENT_MAX) {
            recent.removeFirst();
        }
        AdministrativeTerms terms = termsOf(transaction);
        TransactionFate fate = new TransactionFate(
                sequence,
                terms.getNumber(),
                batch.session(),
                block.batchId(index),
                outcome.refusal(),
                terms.getReason());
        recent.addLast(fate);
        present = new Present(sequence, outcome.membership(), List.copyOf(recent));
        told.accept(fate);
        if (outcome.isExecuted()) {
            listeners.forEach(listener -> listener.accept(outcome.membership()));
        }
    }

    /** Returns what a transaction says of itself, for people; nothing if it cannot be read. */
    private static AdministrativeTerms termsOf(byte[] transaction) {
        try {
            return AdministrativeTerms.parseFrom(
                    AdministrativeTransaction.parseFrom(transaction).getTerms());
        } catch (InvalidProtocolBufferException e) {
            return AdministrativeTerms.getDefaultInstance();
        }
    }

    @Override
    public String toString() {
        Present now = present;
        return now.membership + " of block " + now.block;
    }
}
