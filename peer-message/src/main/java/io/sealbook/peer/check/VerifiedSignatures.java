package io.sealbook.peer.check;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Sha256;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Signatures that were found valid not long ago. The PREPAREs inside a VIEW-CHANGE, and the VIEW-CHANGEs inside a
 * NEW-VIEW, have mostly been verified when they came by themselves; one SHA-256 is a hundredth of a verification.
 *
 * <p>A table with one place per hash; a newer signature takes the place of an older one. One thread.
 */
final class VerifiedSignatures {
    private final Digest[] places;
    private final Sha256 sha256 = new Sha256();

    /** @param capacity power of two */
    VerifiedSignatures(int capacity) {
        places = new Digest[capacity];
    }

    Digest fingerprint(int replica, byte[] signedBytes, byte[] signature) {
        ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
        return sha256.update(prefix.putInt(replica).putInt(signedBytes.length).array())
                .update(signedBytes)
                .update(signature)
                .digest();
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
