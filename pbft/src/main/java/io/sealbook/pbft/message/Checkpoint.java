package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;

/**
 * The sender executed the chain up to {@code sequence} with this result (TOCS 2002, section 4.3).
 *
 * <p>Signed (120 bytes): "SBCHKPT2", chain id, sequence, chain hash, result digest, proposal digest. The signer is
 * known by its key, so that equal results are equal bytes. The chain hash covers the proposal digest; it is signed
 * apart because a new view judges by it which proposals continue the chain, and a replica that lags cannot open the
 * hash.
 */
public record Checkpoint(
        long sequence, Digest chainHash, Digest resultDigest, Digest proposalDigest, int sender, Signature signature)
        implements Message {
    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param chainId of the chain for which the signature counts
     * @param sequence of the block: a multiple of K, or the last of its epoch
     * @param chainHash hash of the block's header
     * @param resultDigest the engine's result digest after the block
     * @param proposalDigest digest of the block's proposal
     */
    public static byte[] signedBytes(
            long chainId, long sequence, Digest chainHash, Digest resultDigest, Digest proposalDigest) {
        return new SignedBytes("SBCHKPT2", chainId, 104)
                .put(sequence)
                .put(chainHash)
                .put(resultDigest)
                .put(proposalDigest)
                .bytes();
    }

    public byte[] signedBytes(long chainId) {
        return signedBytes(chainId, sequence, chainHash, resultDigest, proposalDigest);
    }

    /** Returns what the sender has after the block. */
    public Outcome outcome() {
        return new Outcome(chainHash, resultDigest);
    }

    /** Returns whether both executed the same chain with the same result. */
    public boolean agreesWith(Checkpoint other) {
        return sequence == other.sequence
                && outcome().equals(other.outcome())
                && proposalDigest.equals(other.proposalDigest);
    }

    @Override
    public boolean isSigned() {
        return true;
    }

    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        sink.accept(sender, signedBytes(epoch.chainId()), signature.bytes());
    }
}
