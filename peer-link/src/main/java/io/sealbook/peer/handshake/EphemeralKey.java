package io.sealbook.peer.handshake;

import io.sealbook.vocabulary.BrokenInvariantException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;
import javax.crypto.KeyAgreement;

/** An X25519 key pair that lives for one handshake (RFC 7748). */
final class EphemeralKey {
    static final int LENGTH = 32;

    private static final String ALGORITHM = "X25519";

    private final KeyPair pair;

    private EphemeralKey(KeyPair pair) {
        this.pair = pair;
    }

    static EphemeralKey generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.X25519, random);
            return new EphemeralKey(generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("Java since 11 has " + ALGORITHM, e);
        }
    }

    /** Returns the u-coordinate, little-endian (RFC 7748, 5). */
    byte[] publicKey() {
        byte[] bigEndian = ((XECPublicKey) pair.getPublic()).getU().toByteArray();
        byte[] publicKey = new byte[LENGTH];
        for (int i = 0; i < Math.min(LENGTH, bigEndian.length); i++) {
            publicKey[i] = bigEndian[bigEndian.length - 1 - i];
        }
        return publicKey;
    }

    /**
     * Returns the shared secret.
     *
     * @throws HandshakeException BAD_KEY if the peer's point has small order
     */
    byte[] agree(byte[] peerPublicKey) throws HandshakeException {
        byte[] bigEndian = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bigEndian[i] = peerPublicKey[LENGTH - 1 - i];
        }
        bigEndian[0] &= 0x7F; // RFC 7748, 5: the top bit of a u-coordinate is ignored.
        try {
            XECPublicKeySpec spec = new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, bigEndian));
            KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
            agreement.init(pair.getPrivate());
            agreement.doPhase(KeyFactory.getInstance(ALGORITHM).generatePublic(spec), true);
            return agreement.generateSecret();
        } catch (InvalidKeyException e) {
            throw new HandshakeException(HandshakeRefusal.BAD_KEY, e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new BrokenInvariantException("Java since 11 has " + ALGORITHM, e);
        }
    }
}
