package io.sealbook.archive.administration;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Sha256;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * The membership of a chain as of any of its blocks. It follows the links of headers back to the first administrative
 * block and reads those blocks alone: the cost is that of the changes so far, not that of the chain. Any thread, if the
 * source allows it.
 */
public final class MembershipHistory {
    private final BlockSource blocks;
    private final Genesis genesis;

    /**
     * The membership as of a block.
     *
     * @param block for which it is in effect
     * @param membership genesis and all administrative transactions of the blocks before
     * @param entries what became of these transactions, in the order of the chain
     */
    public record AsOf(long block, Membership membership, List<AdministrativeEntry> entries) {
        public AsOf {
            entries = List.copyOf(entries);
        }
    }

    /**
     * @param blocks of the chain; stay the caller's
     * @param genesis of the chain, with its defaults
     */
    public MembershipHistory(BlockSource blocks, Genesis genesis) {
        this.blocks = blocks;
        this.genesis = genesis;
    }

    /** Returns the membership in effect for the block after the last one; see {@link #asOf}. */
    public AsOf atEnd() {
        return asOf(blocks.lastSequence() + 1);
    }

    /**
     * Returns the membership in effect for a block.
     *
     * @param block 1..last + 1; it, or the one before it, is here
     * @throws IllegalArgumentException if neither is here
     * @throws MembershipUnknownException if a block with administrative batches is not here
     * @throws BlockDamagedException if a block that must be read is damaged
     * @throws ChainViolationException if a header names a block without administrative batches
     */
    public AsOf asOf(long block) {
        return asOf(block, administrationBlockOf(blocks, block));
    }

    /**
     * Returns the membership in effect for a block that is not here, or not whole.
     *
     * @param block whose header the chain is known to name
     * @throws MembershipUnknownException if a block with administrative batches is not here
     * @throws BlockDamagedException if a block that must be read is damaged
     */
    public AsOf asOf(Block block) {
        return asOf(block.header().sequence(), block.header().administrationBlock());
    }

    private AsOf asOf(long block, long lastAdministration) {
        List<AdministrativeEntry> entries = new ArrayList<>();
        Membership membership = visitEntries(block, lastAdministration, entries::add);
        return new AsOf(block, membership, entries);
    }

    /**
     * Executes all administrative transactions. Nothing of them is kept here: a chain that lives for long has
     * thousands, each with a membership after it.
     *
     * @param visitor gets what became of each, in the order of the chain
     * @throws MembershipUnknownException if a block with administrative batches is not here
     * @throws BlockDamagedException if a block that must be read is damaged
     * @throws ChainViolationException if a header names a block without administrative batches
     */
    public void visitEntries(Consumer<AdministrativeEntry> visitor) {
        long next = blocks.lastSequence() + 1;
        visitEntries(next, administrationBlockOf(blocks, next), visitor);
    }

    /** Returns the membership in effect for the block. */
    private Membership visitEntries(long block, long lastAdministration, Consumer<AdministrativeEntry> visitor) {
        MembershipPass pass = new MembershipPass(Membership.of(genesis));
        visit(blocks, block, lastAdministration, next -> pass.onBlock(next).forEach(visitor));
        return pass.membership();
    }

    /**
     * Visits the blocks with administrative batches before a block, in the order of the chain. Nothing is executed. One
     * block at a time is in memory: a chain that lives for long has many of them, and each may be full of orders.
     *
     * @param blocks of the chain
     * @param block 1..last + 1; it, or the one before it, is here
     * @param visitor gets each of them
     * @throws IllegalArgumentException if neither is here
     * @throws MembershipUnknownException if a block with administrative batches is not here
     * @throws BlockDamagedException if a block that must be read is damaged
     * @throws ChainViolationException if a header names a block without administrative batches
     */
    public static void visitAdministrationBlocks(BlockSource blocks, long block, Consumer<Block> visitor) {
        visit(blocks, block, administrationBlockOf(blocks, block), visitor);
    }

    /** The links lead back; the order of the chain is the other one. */
    private static void visit(BlockSource blocks, long block, long lastAdministration, Consumer<Block> visitor) {
        Deque<Long> sequences = new ArrayDeque<>();
        long named = lastAdministration;
        while (named > 0) {
            sequences.push(named);
            named = administrationBlock(blocks, named, block).header().administrationBlock();
        }
        for (long sequence : sequences) {
            visitor.accept(block(blocks, sequence, block));
        }
    }

    /** Returns what the header of a block names, or will name. */
    private static long administrationBlockOf(BlockSource blocks, long block) {
        if (block == 1) {
            return 0;
        }
        return blocks.read(block)
                .map(bytes -> Block.wrap(bytes).header().administrationBlock())
                .or(() -> blocks.read(block - 1).map(bytes -> Block.wrap(bytes).lastAdministrationBlock()))
                .orElseThrow(() -> new IllegalArgumentException("block " + block + " is not here, blocks are "
                        + blocks.firstSequence() + ".." + blocks.lastSequence()));
    }

    private static Block administrationBlock(BlockSource blocks, long sequence, long asOf) {
        Block block = block(blocks, sequence, asOf);
        if (block.header().sequence() != sequence || !block.hasMerkleRoot() || !hasItsBatches(block)) {
            throw new ChainViolationException("block " + sequence + ": its batches are not those of its header");
        }
        if (!block.hasAdministration()) {
            throw new ChainViolationException(
                    "block " + sequence + " is named as administration block and holds no administrative batch");
        }
        return block;
    }

    private static Block block(BlockSource blocks, long sequence, long asOf) {
        return blocks.read(sequence)
                .map(Block::wrap)
                .orElseThrow(() -> new MembershipUnknownException("the membership as of block " + asOf
                        + " needs block " + sequence
                        + ", which holds administrative batches and is not here; blocks are "
                        + blocks.firstSequence() + ".." + blocks.lastSequence()));
    }

    private static boolean hasItsBatches(Block block) {
        Sha256 sha256 = new Sha256();
        for (int i = 0; i < block.batchCount(); i++) {
            if (!BatchId.isOf(sha256, block.array(), block.batchOffset(i), block.batchLength(i), block.batchId(i))) {
                return false;
            }
        }
        return true;
    }
}
