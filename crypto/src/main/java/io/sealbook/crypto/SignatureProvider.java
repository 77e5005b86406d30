package io.sealbook.crypto;

/** A way to verify signatures, found by {@link java.util.ServiceLoader}. Only {@link #open} may touch a device. */
public interface SignatureProvider {
    /** Returns a short fixed name such as {@code bc}, {@code jni} or {@code gpu}. */
    String name();

    /**
     * Checks this provider's settings; touches no device. By default there are none.
     *
     * @throws IllegalArgumentException if a value is out of range or a key unknown; the message names it
     */
    default void check(ProviderSettings settings) {
        settings.refuseUnknown();
    }

    /**
     * Opens a verifier, or reports in one line why there is none.
     *
     * @param settings of all providers, because a provider may open another beside it; {@link #check} has accepted its
     *     own
     */
    Opening<SignatureVerifier> open(VerifierSettings settings);

    /**
     * Returns whether all verifiers that it opens in a process run the same code, without a device that can fail: one
     * self-test and one measurement then count for all of them. By default each verifier is tested and measured.
     */
    default boolean isTestedOncePerProcess() {
        return false;
    }
}
