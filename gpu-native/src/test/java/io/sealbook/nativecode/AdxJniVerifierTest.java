package io.sealbook.nativecode;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SignatureVerifierContract;

/** The contract, under the code for MULX and ADX. */
class AdxJniVerifierTest extends SignatureVerifierContract {
    @Override
    protected SignatureVerifier open() {
        assumeTrue(NativeLibrary.isLoaded(), "needs gcc, needs Linux on x86-64: " + NativeLibrary.status());
        assumeTrue(Backend.best().code >= Backend.ADX.code, "needs MULX and ADX: this processor lacks them");
        return new JniVerifier(Backend.ADX, 8 << 20);
    }
}
