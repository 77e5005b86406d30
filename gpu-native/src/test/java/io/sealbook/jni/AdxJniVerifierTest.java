package io.sealbook.jni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.SignatureVerifierContract;

/** The contract, under the code for MULX and ADX. */
class AdxJniVerifierTest extends SignatureVerifierContract {
    @Override
    protected SignatureVerifier open() {
        assumeTrue(NativeLibrary.isLoaded(), NativeLibrary.status());
        assumeTrue(Backend.best().code >= Backend.ADX.code, "this processor lacks MULX or ADX");
        return new JniVerifier(Backend.ADX, 8 << 20);
    }
}
