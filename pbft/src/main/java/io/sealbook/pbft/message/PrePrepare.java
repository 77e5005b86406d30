package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;

/**
 * The primary assigns a sequence number to a proposal (TOCS 2002, section 4.2). Its signature counts as the primary's
 * PREPARE.
 *
 * <p>Signed: "SBPPREP2", chain id, epoch, view, sequence, proposal digest, sender.
 */
public record PrePrepare(long view, long sequence, Proposal proposal, int sender, Signature signature)
        implements Message {
    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param epoch in which the signature counts
     * @param view of the vote
     * @param sequence of the proposal
     * @param digest of the proposal
     * @param sender 0-based, the signer
     */
    public static byte[] signedBytes(Epoch epoch, long view, long sequence, Digest digest, int sender) {
        return new SignedBytes("SBPPREP2", epoch, 52)
                .put(view)
                .put(sequence)
                .put(digest)
                .put(sender)
                .bytes();
    }

    public byte[] signedBytes(Epoch epoch) {
        return signedBytes(epoch, view, sequence, digest(), sender);
    }

    public Digest digest() {
        return proposal.digest();
    }

    @Override
    public boolean isSigned() {
        return true;
    }

    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        sink.accept(sender, signedBytes(epoch), signature.bytes());
    }
}
