package io.sealbook.archive.administration;

import com.google.protobuf.InvalidProtocolBufferException;
import io.sealbook.archive.Block;
import io.sealbook.membership.ChangeText;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.AdministrativeTransaction;
import io.sealbook.protocol.v1.Approval;
import io.sealbook.vocabulary.AdministrativeBatch;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The transaction of an administrative batch as its proposer made it. Nothing in it is checked.
 *
 * @param proposer node in whose session the batch is
 * @param bytes as the batch carries them; not changed
 */
public record ProposedTransaction(int proposer, byte[] bytes) {
    /**
     * Reads the transaction of a batch.
     *
     * @param block that holds the batch
     * @param index of the batch in the block, from 0
     * @return empty if the batch is not administrative
     */
    public static Optional<ProposedTransaction> of(Block block, int index) {
        return of(block.array(), block.batchOffset(index), block.batchLength(index));
    }

    /** Returns the transaction of a signed batch that is in no block; empty if the batch is not administrative. */
    public static Optional<ProposedTransaction> of(byte[] signedBatch) {
        return of(signedBatch, 0, signedBatch.length);
    }

    private static Optional<ProposedTransaction> of(byte[] bytes, int offset, int length) {
        if (length < SignedBatch.signedLength(0)) {
            return Optional.empty();
        }
        BatchView view = new BatchView().wrap(bytes, offset, length);
        return view.isAdministrative()
                ? Optional.of(new ProposedTransaction(view.session(), AdministrativeBatch.transaction(view)))
                : Optional.empty();
    }

    /** Returns the transaction; empty if the bytes are none. */
    public AdministrativeTransaction transaction() {
        try {
            return AdministrativeTransaction.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            return AdministrativeTransaction.getDefaultInstance();
        }
    }

    /** Returns what the members approved; empty if the transaction holds none. */
    public AdministrativeTerms terms() {
        try {
            return AdministrativeTerms.parseFrom(transaction().getTerms());
        } catch (InvalidProtocolBufferException e) {
            return AdministrativeTerms.getDefaultInstance();
        }
    }

    /** Returns the nodes whose approvals it carries, ascending. */
    public List<Integer> approvers() {
        return transaction().getApprovalsList().stream()
                .map(Approval::getNodeId)
                .sorted(Integer::compareUnsigned)
                .toList();
    }

    /** Returns the nodes whose approvals it carries, as in {@code 0, 1, 3}. */
    public String approversText() {
        return approvers().stream().map(Integer::toUnsignedString).collect(Collectors.joining(", "));
    }

    /** Returns the transaction on one line: what its proposer claims. */
    public String line() {
        return "transaction " + Long.toUnsignedString(terms().getNumber()) + " proposed by node "
                + Integer.toUnsignedString(proposer) + ": " + ChangeText.of(terms()) + ", approvals of "
                + approversText() + " not checked";
    }
}
