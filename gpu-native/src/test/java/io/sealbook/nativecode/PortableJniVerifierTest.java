package io.sealbook.nativecode;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SignatureVerifierContract;

/**
 * The contract, under the code that every x86-64 can run; room for two tables only, so that they put each other out.
 */
class PortableJniVerifierTest extends SignatureVerifierContract {
    @Override
    protected SignatureVerifier open() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        return new JniVerifier(Backend.PORTABLE, 1 << 20);
    }
}
