package io.sealbook.archive.administration;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.archive.Block;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * The membership beside a reader that takes blocks in order: each block is judged by the membership before it, and its
 * administrative transactions are executed after that. One thread.
 */
public final class MembershipPass {
    private final BatchView view = new BatchView();
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
            if (isAdministrative(block, i)) {
                entries.add(execute(block, i));
            }
        }
        return entries;
    }

    private boolean isAdministrative(Block block, int i) {
        return block.batchLength(i) >= SignedBatch.signedLength(0)
                && view.wrap(block.array(), block.batchOffset(i), block.batchLength(i))
                        .isAdministrative();
    }

    private AdministrativeEntry execute(Block block, int i) {
        byte[] transaction = AdministrativeBatch.transaction(view);
        long sequence = block.header().sequence();
        Membership.Outcome outcome = membership.apply(transaction, sequence);
        membership = outcome.membership();
        return new AdministrativeEntry(
                sequence, i, block.batchId(i), view.session(), decode(transaction), outcome.refusal(), membership);
    }

    private static AdministrativeTransaction decode(byte[] transaction) {
        try {
            return AdministrativeTransaction.parseFrom(transaction);
        } catch (InvalidProtocolBufferException e) {
            return AdministrativeTransaction.getDefaultInstance();
        }
    }
}
