package io.sealbook.chaos.history;

import java.util.Comparator;

/**
 * Where a batch is in the chain. Places are ordered as batches are executed.
 *
 * @param block sequence of the block
 * @param index of the batch in the block, from 0
 */
public record BatchPlace(long block, int index) implements Comparable<BatchPlace> {
    private static final Comparator<BatchPlace> ORDER =
            Comparator.comparingLong(BatchPlace::block).thenComparingInt(BatchPlace::index);

    @Override
    public int compareTo(BatchPlace other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return block + "/" + index;
    }
}
