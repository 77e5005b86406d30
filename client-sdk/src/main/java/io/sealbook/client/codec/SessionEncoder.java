package io.sealbook.client.codec;

import io.sealbook.client.Order;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.SignedBatch;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes the batches of one session, one after another: each gets the next number and names the id of the one before.
 * The id of a batch does not cover its signature, so that a batch can be signed while the next ones are encoded. One
 * thread at a time.
 */
public final class SessionEncoder {
    private final long chainId;
    private final int brokerId;
    private final int keyId;
    private final SignatureScheme scheme;
    private final OrderBatchEncoder encoder;
    private final Sha256 sha256 = new Sha256();
    private BatchPosition next;
    private int timeToLive;

    /**
     * Creates an encoder of batches of at most {@code orderCountMax} orders.
     *
     * @param chainId of the genesis file
     * @param brokerId unsigned
     * @param keyId which of the broker's keys will sign, 0..65,535
     * @param scheme of that key
     * @param orderCountMax entries of a batch, 1..{@link SignedBatch#ORDER_COUNT_LIMIT}
     * @param first position of the first batch that is encoded
     */
    public SessionEncoder(
            long chainId, int brokerId, int keyId, SignatureScheme scheme, int orderCountMax, BatchPosition first) {
        this.chainId = chainId;
        this.brokerId = brokerId;
        this.keyId = keyId;
        this.scheme = scheme;
        this.encoder = new OrderBatchEncoder(orderCountMax);
        this.next = first;
    }

    /**
     * Gives batches from now on a time to live; not those of cancel-after times alone, which set or renew a session's
     * time however late they come.
     *
     * @param units of {@link BatchView#TIME_TO_LIVE_UNIT_NS}, 0..{@link BatchView#TIME_TO_LIVE_MAX}; 0 for no limit
     * @return this encoder
     */
    public SessionEncoder timeToLive(int units) {
        if (units < 0 || units > BatchView.TIME_TO_LIVE_MAX) {
            throw new IllegalArgumentException("timeToLive " + units + ", expected 0.." + BatchView.TIME_TO_LIVE_MAX);
        }
        timeToLive = units;
        return this;
    }

    /** Returns the position of the batch that is encoded next. */
    public BatchPosition next() {
        return next;
    }

    /**
     * Encodes the next batch of the session. After an exception the position has not moved.
     *
     * @param orders 1..orderCountMax entries, executed in this order
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch; begins the time to live
     * @return the batch with zeros in place of its signature
     * @throws IllegalStateException if there are more orders than a batch may have
     */
    public SealedBatch encode(List<Order> orders, long validUntilBlock, long sentTimeNs) {
        encoder.begin(chainId, brokerId, keyId, scheme, next, validUntilBlock, sentTimeNs, timeToLive(orders));
        for (int i = 0; i < orders.size(); i++) {
            encoder.add(orders.get(i));
        }
        int length = encoder.finish();
        byte[] bytes = Arrays.copyOf(encoder.array(), length + SignedBatch.SIGNATURE_LENGTH);
        Arrays.fill(bytes, length, bytes.length, (byte) 0);
        Digest batchId = BatchId.of(sha256, bytes, 0, bytes.length);
        SealedBatch batch = new SealedBatch(next.number(), batchId.bytes(), bytes, validUntilBlock);
        next = next.after(batchId);
        return batch;
    }

    private int timeToLive(List<Order> orders) {
        boolean isOfOrders = orders.stream().anyMatch(order -> order.action() != Action.CANCEL_AFTER);
        return isOfOrders ? timeToLive : 0;
    }
}
