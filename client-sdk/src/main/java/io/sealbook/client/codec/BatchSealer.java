package io.sealbook.client.codec;

import io.sealbook.client.Order;
import io.sealbook.crypto.Signer;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.SignedBatch;
import java.util.ArrayList;
import java.util.List;

/**
 * Encodes and signs the batches of one session, for sending at once or for keeping. Signatures draw no randomness at
 * all (RFC 6979): the same orders at the same position give the same bytes. One thread at a time.
 */
public final class BatchSealer {
    private final SessionEncoder encoder;
    private final BatchSigner signer;

    /**
     * Creates a sealer of batches of at most {@code orderCountMax} orders.
     *
     * @param chainId of the genesis file
     * @param brokerId unsigned
     * @param keyId which of the broker's keys, 0..65,535
     * @param signer signs with that key; stays the caller's
     * @param orderCountMax entries of a batch, 1..{@link SignedBatch#ORDER_COUNT_LIMIT}
     * @param first position of the first batch that is sealed
     */
    public BatchSealer(long chainId, int brokerId, int keyId, Signer signer, int orderCountMax, BatchPosition first) {
        this.encoder = new SessionEncoder(chainId, brokerId, keyId, signer.scheme(), orderCountMax, first);
        this.signer = new BatchSigner(chainId, signer);
    }

    /**
     * Seals the next batch of the session.
     *
     * @param orders 1..orderCountMax entries, executed in this order
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch
     */
    public SealedBatch seal(List<Order> orders, long validUntilBlock, long sentTimeNs) {
        SealedBatch batch = encoder.encode(orders, validUntilBlock, sentTimeNs);
        signer.sign(batch);
        return batch;
    }

    /**
     * Seals the next batches of the session; a native signer signs them together in a fraction of the time.
     *
     * @param batches each of 1..orderCountMax entries
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch
     */
    public List<SealedBatch> sealAll(List<List<Order>> batches, long validUntilBlock, long sentTimeNs) {
        List<SealedBatch> sealed = new ArrayList<>(batches.size());
        for (List<Order> orders : batches) {
            sealed.add(encoder.encode(orders, validUntilBlock, sentTimeNs));
        }
        signer.signAll(sealed);
        return sealed;
    }
}
