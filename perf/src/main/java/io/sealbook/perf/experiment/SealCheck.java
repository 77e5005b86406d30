package io.sealbook.perf.experiment;

import io.sealbook.client.codec.SealedBatch;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;

/** Verifies by the Java code what an experiment has signed. */
final class SealCheck {
    private SealCheck() {}

    /**
     * Returns whether a batch has a right signature.
     *
     * @param key that should have signed it
     * @param chainId that the signature covers
     * @param sealed the batch
     */
    static boolean verifies(VerificationKey key, long chainId, SealedBatch sealed) {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, chainId, sealed.batchId(), 0);
        byte[] bytes = sealed.signedBytes();
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, region, 0, region.length, bytes, bytes.length - SignedBatch.SIGNATURE_LENGTH);
        try (SignatureVerifier verifier = SignatureProviders.named("bc")) {
            return verifier.verify(batch) == 1;
        }
    }
}
