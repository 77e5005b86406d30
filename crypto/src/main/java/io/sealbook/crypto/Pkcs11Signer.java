package io.sealbook.crypto;

import io.sealbook.vocabulary.Sha256;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Signature;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * ECDSA on secp256k1 by a key in a hardware module. The module chooses the nonce, so that two signatures of one message
 * differ. It returns r and s alone: s is replaced by the lower of s and n - s, and v is found by recovering the key for
 * each value, which also proves that the signature is right before anybody gets it. Any thread; each call has a session
 * of its own.
 */
final class Pkcs11Signer implements Signer {
    /** Raw r ‖ s of a digest. */
    private static final String ALGORITHM = "NONEwithECDSAinP1363Format";

    private static final EllipticCurve CURVE = EllipticCurve.SECP256K1;
    private static final int RECOVERY_VALUES = 4;

    private final Provider provider;
    private final PrivateKey privateKey;
    private final VerificationKey verificationKey;
    private final String name;

    /**
     * @param provider of the module
     * @param privateKey a handle of the key
     * @param verificationKey its public half
     * @param name of the key, for failures
     */
    Pkcs11Signer(Provider provider, PrivateKey privateKey, VerificationKey verificationKey, String name) {
        this.provider = provider;
        this.privateKey = privateKey;
        this.verificationKey = verificationKey;
        this.name = name;
    }

    @Override
    public SignatureScheme scheme() {
        return SignatureScheme.ECDSA_SECP256K1_SHA256;
    }

    @Override
    public VerificationKey verificationKey() {
        return verificationKey;
    }

    /** @throws ModuleFailureException if the module does not sign, or signs wrongly; nothing has been written then */
    @Override
    public void sign(byte[] message, int offset, int length, byte[] signature, int signatureOffset) {
        Objects.checkFromIndexSize(offset, length, message.length);
        Objects.checkFromIndexSize(signatureOffset, SignatureScheme.SIGNATURE_LENGTH, signature.length);
        byte[] raw = raw(Sha256.of(message, offset, length));
        byte[] made = new byte[SignatureScheme.SIGNATURE_LENGTH];
        System.arraycopy(raw, 0, made, 0, raw.length);
        BigInteger r = SignatureBytes.r(made, 0);
        BigInteger s = SignatureBytes.s(made, 0);
        BigInteger low = s.compareTo(CURVE.halfOrder) > 0 ? CURVE.order.subtract(s) : s;
        byte[] whole = Arrays.copyOfRange(message, offset, offset + length);
        for (int v = 0; v < RECOVERY_VALUES; v++) {
            SignatureBytes.write(made, 0, r, low, v);
            if (Secp256k1Recovery.recover(whole, made).equals(Optional.of(verificationKey))) {
                System.arraycopy(made, 0, signature, signatureOffset, made.length);
                return;
            }
        }
        throw new ModuleFailureException(name, "the module's signature is not one of its key");
    }

    private byte[] raw(byte[] digest) {
        byte[] raw;
        try {
            Signature module = Signature.getInstance(ALGORITHM, provider);
            module.initSign(privateKey);
            module.update(digest);
            raw = module.sign();
        } catch (GeneralSecurityException | ProviderException e) {
            throw new ModuleFailureException(name, "the module does not sign", e);
        }
        if (raw.length != SignatureScheme.SIGNATURE_LENGTH - 1) {
            throw new ModuleFailureException(name, "the module's signature has " + raw.length + " bytes, expected 64");
        }
        return raw;
    }
}
