package io.sealbook.client.submission;

/** The receipts of one batch, at most one a node: the first counts, since a correct node never takes it back. */
final class ReceiptTally {
    private final BatchCommit[] byNode;

    ReceiptTally(int nodeCapacity) {
        this.byNode = new BatchCommit[nodeCapacity];
    }

    /**
     * Counts a receipt.
     *
     * @return how many nodes, this one included, have sent the same facts; 0 when the node had already spoken
     */
    int add(int nodeId, BatchCommit commit) {
        if (byNode[nodeId] != null) {
            return 0;
        }
        byNode[nodeId] = commit;
        int equal = 0;
        for (BatchCommit other : byNode) {
            if (commit.equals(other)) {
                equal++;
            }
        }
        return equal;
    }

    void forget(int nodeId) {
        byNode[nodeId] = null;
    }

    boolean hasReceiptOf(int nodeId) {
        return byNode[nodeId] != null;
    }

    /** Counts the receipts that contradict the given one. */
    int differingFrom(BatchCommit agreed) {
        int count = 0;
        for (BatchCommit other : byNode) {
            if (other != null && !other.equals(agreed)) {
                count++;
            }
        }
        return count;
    }
}
