package io.sealbook.client.codec;

import io.sealbook.client.Order;
import io.sealbook.crypto.Signer;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Encodes and signs batches, for sending at once or for keeping. Nonces count up from a random start: they must not
 * repeat within the validity window, whatever other sealers of the broker do, need not be secret, and successive ones
 * lie together in the tables of nodes and engines. Signatures draw no randomness at all (RFC 6979). One thread at a
 * time.
 */
public final class BatchSealer {
    private final long chainId;
    private final int brokerId;
    private final int keyId;
    private final Signer signer;
    private final OrderBatchEncoder encoder;
    private final Sha256 sha256 = new Sha256();
    private final byte[] region = new byte[SignedRegion.LENGTH];
    private long nextNonce = ThreadLocalRandom.current().nextLong();

    /**
     * Creates a sealer of batches of at most {@code orderCountMax} orders.
     *
     * @param chainId of the genesis file
     * @param brokerId unsigned
     * @param keyId which of the broker's keys, 0..65,535
     * @param signer signs with that key; stays the caller's
     * @param orderCountMax entries of a batch, 1..{@link SignedBatch#ORDER_COUNT_LIMIT}
     */
    public BatchSealer(long chainId, int brokerId, int keyId, Signer signer, int orderCountMax) {
        this.chainId = chainId;
        this.brokerId = brokerId;
        this.keyId = keyId;
        this.signer = signer;
        this.encoder = new OrderBatchEncoder(orderCountMax);
    }

    /**
     * Seals a batch with a fresh nonce.
     *
     * @param orders 1..orderCountMax entries, executed in this order
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch; shown, decides nothing
     */
    public SealedBatch seal(List<Order> orders, long validUntilBlock, long sentTimeNs) {
        return seal(orders, nextNonce++, validUntilBlock, sentTimeNs);
    }

    /**
     * Seals a batch with a given nonce: the same arguments give the same bytes, signature included.
     *
     * @param orders 1..orderCountMax entries, executed in this order
     * @param nonce not used before by this broker in a batch that may still be valid
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch; shown, decides nothing
     */
    public SealedBatch seal(List<Order> orders, long nonce, long validUntilBlock, long sentTimeNs) {
        byte[] batchId = new byte[SignedRegion.BATCH_ID_LENGTH];
        byte[] signed = encode(orders, nonce, validUntilBlock, sentTimeNs, batchId);
        SignedRegion.write(region, 0, chainId, batchId, 0);
        signer.sign(region, 0, region.length, signed, signed.length - SignedBatch.SIGNATURE_LENGTH);
        return new SealedBatch(batchId, signed, validUntilBlock);
    }

    /**
     * Seals several batches, each with a fresh nonce; a native signer signs them together in a fraction of the time.
     *
     * @param batches each of 1..orderCountMax entries
     * @param validUntilBlock last block sequence that may contain a batch
     * @param sentTimeNs the broker's clock, ns since the epoch; shown, decides nothing
     */
    public List<SealedBatch> sealAll(List<List<Order>> batches, long validUntilBlock, long sentTimeNs) {
        int count = batches.size();
        List<SealedBatch> sealed = new ArrayList<>(count);
        byte[] regions = new byte[count * SignedRegion.LENGTH];
        byte[] signatures = new byte[count * SignedBatch.SIGNATURE_LENGTH];
        for (int i = 0; i < count; i++) {
            byte[] batchId = new byte[SignedRegion.BATCH_ID_LENGTH];
            byte[] signed = encode(batches.get(i), nextNonce++, validUntilBlock, sentTimeNs, batchId);
            SignedRegion.write(regions, i * SignedRegion.LENGTH, chainId, batchId, 0);
            sealed.add(new SealedBatch(batchId, signed, validUntilBlock));
        }
        signer.signAll(regions, SignedRegion.LENGTH, count, signatures);
        for (int i = 0; i < count; i++) {
            byte[] signed = sealed.get(i).signedBytes();
            System.arraycopy(
                    signatures,
                    i * SignedBatch.SIGNATURE_LENGTH,
                    signed,
                    signed.length - SignedBatch.SIGNATURE_LENGTH,
                    SignedBatch.SIGNATURE_LENGTH);
        }
        return sealed;
    }

    /** Returns the batch's bytes with room for the signature, and writes its id. */
    private byte[] encode(List<Order> orders, long nonce, long validUntilBlock, long sentTimeNs, byte[] batchId) {
        encoder.begin(chainId, brokerId, keyId, signer.scheme(), nonce, validUntilBlock, sentTimeNs);
        for (int i = 0; i < orders.size(); i++) {
            encoder.add(orders.get(i));
        }
        int length = encoder.finish();
        byte[] signed = Arrays.copyOf(encoder.array(), length + SignedBatch.SIGNATURE_LENGTH);
        BatchId.write(sha256, signed, 0, signed.length, batchId, 0);
        return signed;
    }
}
