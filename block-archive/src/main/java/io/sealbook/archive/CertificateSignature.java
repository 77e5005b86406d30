package io.sealbook.archive;

import java.util.Arrays;

/**
 * One node's signature under a checkpoint. The signature is copied in and out.
 *
 * @param nodeId 0-based position of the node in the genesis file
 * @param signature r, s, v: 65 bytes, by the node's identity key over {@link CheckpointCertificate#signedBytes}
 */
public record CertificateSignature(int nodeId, byte[] signature) {
    /** Bytes of r, s and v. */
    public static final int LENGTH = 65;

    public CertificateSignature {
        if (nodeId < 0) {
            throw new IllegalArgumentException("nodeId " + nodeId);
        }
        if (signature.length != LENGTH) {
            throw new IllegalArgumentException("signature has " + signature.length + " bytes, expected " + LENGTH);
        }
        signature = signature.clone();
    }

    @Override
    public byte[] signature() {
        return signature.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CertificateSignature that
                && nodeId == that.nodeId
                && Arrays.equals(signature, that.signature);
    }

    @Override
    public int hashCode() {
        return 31 * nodeId + Arrays.hashCode(signature);
    }
}
