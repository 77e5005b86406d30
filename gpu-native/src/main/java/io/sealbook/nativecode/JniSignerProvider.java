package io.sealbook.nativecode;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.SignerProvider;
import io.sealbook.crypto.VerificationKey;

/** Signers of libsealbook. */
public final class JniSignerProvider implements SignerProvider {
    @Override
    public String name() {
        return JniProvider.NAME;
    }

    @Override
    public int signaturesPerSecond() {
        return 80_000;
    }

    @Override
    public Opening<Signer> open(VerificationKey key, byte[] scalar32) {
        return NativeLibrary.loading()
                .open(description -> new Opening.Opened<>(new JniSigner(key, scalar32), description));
    }
}
