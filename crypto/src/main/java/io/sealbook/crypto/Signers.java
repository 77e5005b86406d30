package io.sealbook.crypto;

/** Makes signers where the private key itself is of no interest. */
public final class Signers {
    private Signers() {}

    /** Returns a signer with a new key, which cannot be written to a file: see {@link SigningKey#generate}. */
    public static Signer generate(SignatureScheme scheme) {
        return of(SigningKey.generate(scheme));
    }

    public static Signer of(SigningKey key) {
        return key.signer();
    }
}
