package io.sealbook.crypto;

/** Verification in Java on Bouncy Castle's field arithmetic: the reference, available everywhere. */
public final class BouncyCastleProvider implements SignatureProvider {
    /** Name of this provider. */
    public static final String NAME = "bc";

    /** Rounded down from the verification benchmark of {@code perf}: batches of 64, one core of a busy machine. */
    private static final int VERIFICATIONS_PER_SECOND = 30_000;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int verificationsPerSecond() {
        return VERIFICATIONS_PER_SECOND;
    }

    @Override
    public Opening<SignatureVerifier> open(VerifierSettings settings) {
        return new Opening.Opened<>(new BouncyCastleVerifier(), "Java on Bouncy Castle's field arithmetic");
    }
}
