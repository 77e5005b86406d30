package io.sealbook.nativecode;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SignatureVerifierContract;

/** The contract, under the code that this machine would choose. */
class JniVerifierTest extends SignatureVerifierContract {
    @Override
    protected SignatureVerifier open() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        return new JniVerifier(Backend.best(), 8 << 20);
    }
}
