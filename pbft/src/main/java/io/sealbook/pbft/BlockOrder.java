package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The order of the batches of a block: brokers in turn, one batch each, and of each broker its sessions in turn. Which
 * broker and which session begin changes with the sequence number. With fair order, the order of the proposal's ends.
 * The proposal alone decides it. Stateless.
 */
public final class BlockOrder {
    private BlockOrder() {}

    /**
     * Puts the batches of a block in turn.
     *
     * @param <T> batches
     * @param sequence of the block, 1 or more
     * @param ranges of the block, ascending by session
     * @param batches of each range, in the order of their numbers
     */
    public static <T> List<T> of(long sequence, List<BatchRange> ranges, List<List<T>> batches) {
        long[] keys = ranges.stream().mapToLong(BatchRange::sessionKey).toArray();
        long[] counts = batches.stream().mapToLong(List::size).toArray();
        List<T> inOrder = new ArrayList<>();
        SessionTurns.ofBlock(keys, counts, sequence)
                .deal(
                        Integer.MAX_VALUE,
                        (place, index) -> inOrder.add(batches.get(place).get(index)));
        return inOrder;
    }
}
