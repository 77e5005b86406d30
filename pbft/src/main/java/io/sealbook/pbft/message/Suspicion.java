package io.sealbook.pbft.message;

/**
 * The sender wants view {@code view} to end, and takes part in it until f+1 replicas do (Kotla et al., Zyzzyva, SOSP
 * 2007, section 3.2, I-HATE-THE-PRIMARY).
 *
 * <p>Signed: "SBSUSPC2", chain id, epoch, view, sender.
 *
 * @param view that the sender is in, or is changing to
 */
public record Suspicion(long view, int sender, Signature signature) implements Message {
    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param epoch in which the signature counts
     * @param view that is suspected
     * @param sender 0-based, the signer
     */
    public static byte[] signedBytes(Epoch epoch, long view, int sender) {
        return new SignedBytes("SBSUSPC2", epoch, 12).put(view).put(sender).bytes();
    }

    public byte[] signedBytes(Epoch epoch) {
        return signedBytes(epoch, view, sender);
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
