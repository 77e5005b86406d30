package io.sealbook.pbft.message;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * The sender gave up every view below {@code newView} and shows what it had prepared (TOCS 2002, section 4.4, with the
 * signed certificates of the OSDI 1999 protocol).
 *
 * <p>Signed: "SBVCHNG3", chain id, epoch, new view, sequence, chain hash, result digest and proposal digest of the
 * stable certificate, number of prepared certificates, of each (view, sequence, digest), sender. The nested signatures
 * prove themselves.
 *
 * @param prepared ascending by sequence, all above the stable certificate
 */
public record ViewChange(
        long newView,
        StableCertificate stableCertificate,
        List<PreparedCertificate> prepared,
        int sender,
        Signature signature)
        implements Message {
    public ViewChange {
        prepared = List.copyOf(prepared);
    }

    /**
     * Returns the bytes that the signature covers; the array is the caller's.
     *
     * @param epoch in which the signature counts
     * @param newView above every view in which the sender votes from now on
     * @param stable the sender's stable certificate
     * @param prepared ascending by sequence, all above the stable certificate
     * @param sender 0-based, the signer
     */
    public static byte[] signedBytes(
            Epoch epoch, long newView, StableCertificate stable, List<PreparedCertificate> prepared, int sender) {
        SignedBytes bytes = new SignedBytes("SBVCHNG3", epoch, 120 + 48 * prepared.size())
                .put(newView)
                .put(stable.sequence())
                .put(stable.chainHash())
                .put(stable.resultDigest())
                .put(stable.proposalDigest())
                .put(prepared.size());
        for (PreparedCertificate certificate : prepared) {
            bytes.put(certificate.view()).put(certificate.sequence()).put(certificate.digest());
        }
        return bytes.put(sender).bytes();
    }

    public byte[] signedBytes(Epoch epoch) {
        return signedBytes(epoch, newView, stableCertificate, prepared, sender);
    }

    /** Returns a digest of what the signature covers. */
    public Digest digest(Epoch epoch) {
        return Digest.sha256(signedBytes(epoch));
    }

    @Override
    public boolean isSigned() {
        return true;
    }

    @Override
    public void forEachSignature(Epoch epoch, SignatureSink sink) {
        sink.accept(sender, signedBytes(epoch), signature.bytes());
        stableCertificate.forEachSignature(epoch, sink);
        for (PreparedCertificate certificate : prepared) {
            certificate.forEachSignature(epoch, sink);
        }
    }
}
