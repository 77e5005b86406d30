package io.sealbook.pbft.message;

/**
 * The sender's stable certificate, for a replica whose own is older. The signatures prove it, whichever replica sends
 * it.
 */
public record CheckpointProof(StableCertificate certificate, int sender) implements Message {
    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        certificate.forEachSignature(epoch, sink);
    }
}
