package io.sealbook.crypto;

/** Verification in Java on Bouncy Castle's field arithmetic: the reference, available everywhere. */
public final class BouncyCastleProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "bc";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Opening<SignatureVerifier> open(VerifierSettings settings) {
        return new Opening.Opened<>(new BouncyCastleVerifier(), "Java on Bouncy Castle's field arithmetic");
    }

    @Override
    public boolean isTestedOncePerProcess() {
        return true;
    }
}
