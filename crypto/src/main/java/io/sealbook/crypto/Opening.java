package io.sealbook.crypto;

/**
 * How it went to open what a provider offers. {@link Absent} is an ordinary machine; {@link Failed} is one that could
 * be faster and is not.
 *
 * @param <T> what is opened
 */
public sealed interface Opening<T> permits Opening.Opened, Opening.Absent, Opening.Failed {
    /**
     * It is open.
     *
     * @param value the caller's to close
     * @param description what the provider found, one line for the operator
     */
    record Opened<T>(T value, String description) implements Opening<T> {}

    /**
     * The machine lacks what the provider needs, and nothing is wrong with it.
     *
     * @param reason what it lacks, one line for the operator
     */
    record Absent<T>(String reason) implements Opening<T> {}

    /**
     * What the provider needs should be there and cannot be used: the operator loses speed.
     *
     * @param reason what went wrong and, where there is one, the remedy; one line for the operator
     */
    record Failed<T>(String reason) implements Opening<T> {}
}
