package io.sealbook.client.codec;

import io.sealbook.crypto.Signer;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.List;

/** Puts signatures into encoded batches. One thread at a time. */
public final class BatchSigner {
    private final long chainId;
    private final Signer signer;
    private final byte[] region = new byte[SignedRegion.LENGTH];

    /**
     * @param chainId of the genesis file
     * @param signer signs with the key that the batches name; stays the caller's
     */
    public BatchSigner(long chainId, Signer signer) {
        this.chainId = chainId;
        this.signer = signer;
    }

    /** Writes the signature of a batch in its place. */
    public void sign(SealedBatch batch) {
        SignedRegion.write(region, 0, chainId, batch.batchId(), 0);
        byte[] signed = batch.signedBytes();
        signer.sign(region, 0, region.length, signed, signed.length - SignedBatch.SIGNATURE_LENGTH);
    }

    /** Writes the signature of each batch in its place, in one call of the signer. */
    public void signAll(List<SealedBatch> batches) {
        int count = batches.size();
        byte[] regions = new byte[count * SignedRegion.LENGTH];
        byte[] signatures = new byte[count * SignedBatch.SIGNATURE_LENGTH];
        for (int i = 0; i < count; i++) {
            SignedRegion.write(
                    regions, i * SignedRegion.LENGTH, chainId, batches.get(i).batchId(), 0);
        }
        signer.signAll(regions, SignedRegion.LENGTH, count, signatures);
        for (int i = 0; i < count; i++) {
            byte[] signed = batches.get(i).signedBytes();
            System.arraycopy(
                    signatures,
                    i * SignedBatch.SIGNATURE_LENGTH,
                    signed,
                    signed.length - SignedBatch.SIGNATURE_LENGTH,
                    SignedBatch.SIGNATURE_LENGTH);
        }
    }
}
