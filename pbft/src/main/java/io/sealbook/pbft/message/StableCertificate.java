package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * Proof that a quorum executed the chain up to a sequence number with the same result (the stable certificate of TOCS
 * 2002, section 4.3). It convinces strangers: every signature is over {@link Checkpoint#signedBytes}.
 *
 * @param sequence last block covered; 0 for the genesis
 * @param chainHash hash of that block's header
 * @param resultDigest the engines' result digest after it
 * @param proposalDigest digest of that block's proposal: the predecessor that the next proposal names
 * @param signatures of distinct replicas, ascending; none if an epoch begins after the block: its replicas know it
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

    /** Returns the certificate without its signatures, as replicas of the next epoch know it: it begins there. */
    public StableCertificate unsigned() {
        return new StableCertificate(sequence, chainHash, resultDigest, proposalDigest, List.of());
    }

    /** Returns the state that the quorum signed. */
    public Outcome outcome() {
        return new Outcome(chainHash, resultDigest);
    }

    /**
     * Names every signature with the bytes it covers.
     *
     * @param epoch the receiver's own: a signature for another chain or epoch then fails
     * @param sink called once per signature, in a fixed order
     */
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        byte[] signedBytes = Checkpoint.signedBytes(epoch.chainId(), sequence, chainHash, resultDigest, proposalDigest);
        for (ReplicaSignature signature : signatures) {
            sink.accept(signature.replica(), signedBytes, signature.signature().bytes());
        }
    }
}
