package io.sealbook.client.submission;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.CommitReceipt;

/** The receipts of one batch, at most one a node: the first counts, since a correct node never takes it back. */
final class ReceiptTally {
    private final CommitReceipt[] byNode;

    ReceiptTally(int nodeCount) {
        this.byNode = new CommitReceipt[nodeCount];
    }

    /**
     * Counts a receipt.
     *
     * @return how many nodes, this one included, have sent the same facts; 0 when the node had already spoken
     */
    int add(int nodeId, CommitReceipt receipt) {
        if (byNode[nodeId] != null) {
            return 0;
        }
        byNode[nodeId] = receipt;
        int equal = 0;
        for (CommitReceipt other : byNode) {
            if (other != null && isSame(other, receipt)) {
                equal++;
            }
        }
        return equal;
    }

    boolean hasReceiptOf(int nodeId) {
        return byNode[nodeId] != null;
    }

    /** Counts the receipts that contradict the given one. */
    int differingFrom(CommitReceipt agreed) {
        int count = 0;
        for (CommitReceipt other : byNode) {
            if (other != null && !isSame(other, agreed)) {
                count++;
            }
        }
        return count;
    }

    private static boolean isSame(CommitReceipt a, CommitReceipt b) {
        ByteString hash = a.getBlockHash();
        return a.getBlockSequence() == b.getBlockSequence()
                && a.getBatchIndex() == b.getBatchIndex()
                && a.getBlockTimeNs() == b.getBlockTimeNs()
                && hash.equals(b.getBlockHash());
    }
}
