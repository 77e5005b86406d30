package io.sealbook.node.payload;

import io.sealbook.pbft.BlockOrder;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Finds the batches of a delivered proposal: each names the id of the one before it. Stateless. */
public final class BlockBatches {
    private BlockBatches() {}

    /**
     * Returns the batches of a block in its order.
     *
     * @param proposal of the block
     * @param ranges that the proposal adds
     * @param isInOrder whether the ranges are in the order of the block
     * @param payloads holds them all
     * @throws BrokenInvariantException if one is not there: agreement must not have delivered the proposal
     */
    public static List<Payload> of(
            Proposal proposal, List<BatchRange> ranges, boolean isInOrder, PayloadStore payloads) {
        List<List<Payload>> batches = new ArrayList<>(ranges.size());
        for (BatchRange range : ranges) {
            batches.add(of(proposal.sequence(), range, payloads));
        }
        return isInOrder
                ? batches.stream().flatMap(List::stream).toList()
                : BlockOrder.of(proposal.sequence(), ranges, batches);
    }

    private static List<Payload> of(long sequence, BatchRange range, PayloadStore payloads) {
        ArrayDeque<Payload> batches = new ArrayDeque<>();
        Digest id = range.last().id();
        for (long number = range.last().number(); number > range.after(); number--) {
            Payload payload = payloads.get(id);
            if (payload == null || payload.number() != number || payload.sessionKey() != range.sessionKey()) {
                throw new BrokenInvariantException("block " + sequence + " delivered without payload of batch " + id
                        + ", number " + number + " of " + range);
            }
            batches.addFirst(payload);
            id = payload.position().previous();
        }
        if (!id.equals(range.afterId())) {
            throw new BrokenInvariantException("block " + sequence + " delivered with " + range + " that follows batch "
                    + id + " and not batch " + range.afterId());
        }
        return List.copyOf(batches);
    }
}
