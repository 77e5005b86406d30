package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * Proof that a quorum executed the chain up to a sequence number with the same result (the stable certificate of TOCS
 * 2002, section 4.3). It convinces strangers: every signature is over {@link Checkpoint#signedBytes}.
 *
 * @param sequence last block covered; 0 for the genesis, which needs no signatures
 * @param chainHash hash of that block's header
 * @param resultDigest the engines' result digest after it
 * @param proposalDigest digest of that block's proposal: the predecessor that the next proposal names
 * @param signatures of distinct replicas, ascending
 */
public record StableCertificate(
        long sequence,
        Digest chainHash,
        Digest resultDigest,
        Digest proposalDigest,
        List<ReplicaSignature> signatures) {
    /** The certificate every replica starts from. */
    public static final StableCertificate GENESIS =
            new StableCertificate(0, Digest.ZERO, Digest.ZERO, Digest.ZERO, List.of());

    public StableCertificate {
        signatures = List.copyOf(signatures);
    }

    /** Returns the state that the quorum signed. */
    public Outcome outcome() {
        return new Outcome(chainHash, resultDigest);
    }

    /**
     * Names every signature with the bytes it covers.
     *
     * @param chainId the receiver's own chain: a signature for another chain then fails
     * @param sink called once per signature, in a fixed order
     */
    public void forEachSignature(long chainId, SignatureSink sink) {
        byte[] signedBytes = Checkpoint.signedBytes(chainId, sequence, chainHash, resultDigest, proposalDigest);
        for (ReplicaSignature signature : signatures) {
            sink.accept(signature.replica(), signedBytes, signature.signature().bytes());
        }
    }
}
