package io.sealbook.peer.offload;

import io.sealbook.pbft.Digest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Signatures that were found valid not long ago. The PREPAREs inside a VIEW-CHANGE, and the VIEW-CHANGEs inside a NEW-VIEW, have
 * mostly been verified when they came by themselves; one SHA-256 is a hundredth of a verification.
 *
 * <p>A table with one place per hash; a newer signature takes the place of an older one. One thread.
 */
final class VerifiedSignatures {
    private final Digest[] places;
    private final MessageDigest sha256;

    /** @param capacity power of two */
    VerifiedSignatures(int capacity) {
        places = new Digest[capacity];
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    Digest fingerprint(int replica, byte[] signedBytes, byte[] signature) {
        ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        sha256.update(prefix.putInt(replica).putInt(signedBytes.length).array());
        sha256.update(signedBytes);
        return Digest.of(sha256.digest(signature));
    }

    boolean contains(Digest fingerprint) {
        return fingerprint.equals(places[place(fingerprint)]);
    }

    void add(Digest fingerprint) {
        places[place(fingerprint)] = fingerprint;
    }

    private int place(Digest fingerprint) {
        return fingerprint.hashCode() & places.length - 1;
    }
}
