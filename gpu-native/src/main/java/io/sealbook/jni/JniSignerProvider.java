package io.sealbook.jni;

import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SignerProvider;
import io.sealbook.crypto.VerificationKey;
import java.util.Optional;

/** Signers of libsealbook. */
public final class JniSignerProvider implements SignerProvider {
    @Override
    public String name() {
        return "jni";
    }

    @Override
    public int signaturesPerSecond() {
        return 80_000;
    }

    @Override
    public Optional<Signer> openSigner(VerificationKey key, byte[] scalar32) {
        return NativeLibrary.isLoaded() ? Optional.of(new JniSigner(key, scalar32)) : Optional.empty();
    }

    @Override
    public String status() {
        return NativeLibrary.status();
    }
}
