package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.membership.Membership;
import io.sealbook.node.status.NodeState.LastBlock;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The membership along the blocks of a transfer: at the end of what is proven, and at each block that is linked to it.
 * An answer ahead of these blocks is checked at once if its first header names their last administration block; else it
 * must wait until they reach it. One thread.
 */
final class LinkedMembership {
    private Membership proven;
    private long linkedEnd;
    /** Of the proven blocks, the last that holds administrative batches; 0 if none does. */
    private long provenAdministrationBlock;
    /** After each linked block that holds administrative batches, by its sequence. */
    private final TreeMap<Long, Membership> changes = new TreeMap<>();

    /**
     * Begins after a proven block.
     *
     * @param end the block
     * @param membership in effect for the block after it
     */
    void begin(LastBlock end, Membership membership) {
        changes.clear();
        linkedEnd = end.sequence();
        provenAdministrationBlock = end.administrationBlock();
        proven = membership;
    }

    /** Takes the next block of the chain in memory. */
    void link(Block block) {
        linkedEnd = block.header().sequence();
        if (block.hasAdministration()) {
            MembershipPass pass = new MembershipPass(inEffect(linkedEnd));
            pass.onBlock(block);
            changes.put(linkedEnd, pass.membership());
        }
    }

    /** Notes that a certificate covers the linked blocks up to one. */
    void prove(long end) {
        proven = inEffect(end + 1);
        SortedMap<Long, Membership> covered = changes.headMap(end, true);
        if (!covered.isEmpty()) {
            provenAdministrationBlock = covered.lastKey();
            covered.clear();
        }
    }

    /** Forgets the linked blocks after the proven end. */
    void drop(LastBlock provenEnd) {
        begin(provenEnd, proven);
    }

    /**
     * Returns the membership by which an answer is checked; empty if blocks before it may change what is known here. An
     * answer that does not follow the linked blocks at once is not judged by what they change: nothing proves them, and
     * the peer whose blocks are right would be refused.
     *
     * @param first header of the answer
     */
    Optional<Membership> inEffect(BlockHeader first) {
        boolean isKnown = first.sequence() <= linkedEnd + 1
                || changes.isEmpty() && first.administrationBlock() == provenAdministrationBlock;
        return isKnown ? Optional.of(inEffect(first.sequence())) : Optional.empty();
    }

    private Membership inEffect(long sequence) {
        Map.Entry<Long, Membership> last = changes.lowerEntry(sequence);
        return last == null ? proven : last.getValue();
    }
}
