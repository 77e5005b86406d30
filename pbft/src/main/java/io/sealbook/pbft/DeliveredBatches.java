package io.sealbook.pbft;

import java.util.Iterator;
import java.util.LinkedHashSet;

/** The ids of the batches delivered last, so that none of them is proposed or waited for again. Bounded: the oldest is forgotten. */
final class DeliveredBatches {
    private final int countMax;
    private final LinkedHashSet<Digest> batchIds = new LinkedHashSet<>();

    DeliveredBatches(int countMax) {
        this.countMax = countMax;
    }

    boolean contains(Digest batchId) {
        return batchIds.contains(batchId);
    }

    void add(Digest batchId) {
        if (batchIds.add(batchId) && batchIds.size() > countMax) {
            Iterator<Digest> oldest = batchIds.iterator();
            oldest.next();
            oldest.remove();
        }
    }

    int count() {
        return batchIds.size();
    }
}
