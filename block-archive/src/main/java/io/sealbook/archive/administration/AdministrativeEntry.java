package io.sealbook.archive.administration;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Approval;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * An administrative batch of a block, and what became of its transaction.
 *
 * @param block that holds it
 * @param batchIndex place in the block, from 0
 * @param batchId of the batch
 * @param proposer node in whose session the batch is
 * @param transaction as the batch carries it; empty if its bytes are none
 * @param refusal the fact that speaks against it; empty if it was executed
 * @param after the membership after it
 */
public record AdministrativeEntry(
        long block,
        int batchIndex,
        Digest batchId,
        int proposer,
        AdministrativeTransaction transaction,
        String refusal,
        Membership after) {
    /** Returns whether the transaction changed the membership. */
    public boolean isExecuted() {
        return refusal.isEmpty();
    }

    /** Returns what the members approved; empty if the transaction holds none. */
    public AdministrativeTerms terms() {
        try {
            return AdministrativeTerms.parseFrom(transaction.getTerms());
        } catch (InvalidProtocolBufferException e) {
            return AdministrativeTerms.getDefaultInstance();
        }
    }

    /** Returns the nodes whose approvals it carries, ascending; proven only if it was executed. */
    public List<Integer> approvers() {
        return transaction.getApprovalsList().stream()
                .map(Approval::getNodeId)
                .sorted(Integer::compareUnsigned)
                .toList();
    }
}
