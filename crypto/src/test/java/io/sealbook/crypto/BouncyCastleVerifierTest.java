package io.sealbook.crypto;

class BouncyCastleVerifierTest extends SignatureVerifierContract {
    @Override
    protected SignatureVerifier open() {
        return SignatureProviders.named(BouncyCastleProvider.NAME);
    }
}
