package io.sealbook.archive.administration;

import io.sealbook.archive.Block;
import io.sealbook.membership.Membership;
import java.util.ArrayList;
import java.util.List;

/**
 * The membership beside a reader that takes blocks in order: each block is judged by the membership before it, and its
 * administrative transactions are executed after that. One thread.
 */
public final class MembershipPass {
    private Membership membership;

    /** @param membership in effect for the first block that is taken */
    public MembershipPass(Membership membership) {
        this.membership = membership;
    }

    /** Returns the membership in effect for the next block. */
    public Membership membership() {
        return membership;
    }

    /**
     * Executes the administrative transactions of the next block, in its order.
     *
     * @param block the next one; those without administrative batches may be left out
     * @return what became of them
     */
    public List<AdministrativeEntry> onBlock(Block block) {
        if (!block.hasAdministration()) {
            return List.of();
        }
        List<AdministrativeEntry> entries = new ArrayList<>();
        for (int i = 0; i < block.batchCount(); i++) {
            int index = i;
            ProposedTransaction.of(block, i).ifPresent(proposed -> entries.add(execute(block, index, proposed)));
        }
        return entries;
    }

    private AdministrativeEntry execute(Block block, int index, ProposedTransaction proposed) {
        long sequence = block.header().sequence();
        Membership.Outcome outcome = membership.apply(proposed.bytes(), sequence);
        membership = outcome.membership();
        return new AdministrativeEntry(sequence, index, block.batchId(index), proposed, outcome.refusal(), membership);
    }
}
