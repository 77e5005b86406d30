package io.sealbook.node.block;

import io.sealbook.node.payload.Payload;
import io.sealbook.vocabulary.BatchView;

/**
 * Headers that were decoded, a column per field: {@value #BYTES_PER_BATCH} bytes per batch and no reference to its
 * bytes. Filled by one thread; after that any thread may read.
 */
public final class DecodedHeaders implements BatchHeaders {
    /** Memory of one batch's header. */
    static final int BYTES_PER_BATCH = 3 * Integer.BYTES + 2 * Long.BYTES;

    private final int[] brokerIds;
    private final int[] sessions;
    private final long[] numbers;
    private final long[] validUntilBlocks;
    private final int[] orderCounts;

    /** @param count number of batches; their headers are set afterwards */
    public DecodedHeaders(int count) {
        this.brokerIds = new int[count];
        this.sessions = new int[count];
        this.numbers = new long[count];
        this.validUntilBlocks = new long[count];
        this.orderCounts = new int[count];
    }

    /**
     * Takes the header that admission decoded.
     *
     * @param batch its number in the block, from 0
     * @param payload the batch; not kept
     */
    public void set(int batch, Payload payload) {
        brokerIds[batch] = payload.brokerId();
        sessions[batch] = payload.position().session();
        numbers[batch] = payload.number();
        validUntilBlocks[batch] = payload.validUntilBlock();
        orderCounts[batch] = payload.orderCount();
    }

    /**
     * Decodes a header.
     *
     * @param batch its number in the block, from 0
     * @param view at the batch; may move on afterwards
     */
    public void set(int batch, BatchView view) {
        brokerIds[batch] = view.brokerId();
        sessions[batch] = view.session();
        numbers[batch] = view.number();
        validUntilBlocks[batch] = view.validUntilBlock();
        orderCounts[batch] = view.orderCount();
    }

    @Override
    public int count() {
        return brokerIds.length;
    }

    @Override
    public int brokerId(int batch) {
        return brokerIds[batch];
    }

    @Override
    public int session(int batch) {
        return sessions[batch];
    }

    @Override
    public long number(int batch) {
        return numbers[batch];
    }

    @Override
    public long validUntilBlock(int batch) {
        return validUntilBlocks[batch];
    }

    @Override
    public int orderCount(int batch) {
        return orderCounts[batch];
    }
}
