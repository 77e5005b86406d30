package io.sealbook.archive.administration;

import io.sealbook.membership.ChangeText;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * An administrative batch of a block, and what became of its transaction.
 *
 * @param block that holds it
 * @param batchIndex place in the block, from 0
 * @param batchId of the batch
 * @param proposed the transaction as the batch carries it
 * @param refusal the fact that speaks against it; empty if it was executed
 * @param after the membership after it
 */
public record AdministrativeEntry(
        long block, int batchIndex, Digest batchId, ProposedTransaction proposed, String refusal, Membership after) {
    /** Returns whether the transaction changed the membership. */
    public boolean isExecuted() {
        return refusal.isEmpty();
    }

    /** Returns the node in whose session the batch is. */
    public int proposer() {
        return proposed.proposer();
    }

    /** Returns what the members approved; empty if the transaction holds none. */
    public AdministrativeTerms terms() {
        return proposed.terms();
    }

    /** Returns the nodes whose approvals it carries, ascending; proven only if it was executed. */
    public List<Integer> approvers() {
        return proposed.approvers();
    }

    /** Returns the transaction on one line: block, number, changes, and who approved them or why it was refused. */
    public String line() {
        String which = "block " + block + ": transaction " + Long.toUnsignedString(terms().getNumber());
        return isExecuted()
                ? which + ": " + ChangeText.of(terms()) + ", approved by " + proposed.approversText()
                : which + " refused: " + refusal;
    }
}
