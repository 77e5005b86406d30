package io.sealbook.crypto;

import java.util.Optional;

/** A way to verify signatures, found by {@link java.util.ServiceLoader}. Its constructor and {@link #name} must not touch a device. */
public interface SignatureProvider {
    /** Returns a short fixed name such as {@code bc}, {@code jni} or {@code gpu}. */
    String name();

    /**
     * Returns the provider's declared rate in verified signatures per second, as measured by its authors on large batches under known
     * keys. It only ranks providers: a measurement at start-up, before the JIT compiler has seen the code, would rank them wrongly.
     */
    int verificationsPerSecond();

    /**
     * Opens a verifier.
     *
     * @return empty when this machine lacks what the provider needs; {@link #status} then tells what
     */
    Optional<SignatureVerifier> openVerifier();

    /** Returns one line for the operator: what the provider found, or why it is absent. */
    String status();
}
