package io.sealbook.crypto;

import java.util.Locale;

/**
 * What became of one provider when the fastest was sought.
 *
 * @param provider name of the provider
 * @param outcome what became of it
 * @param detail one line for the operator: what was found, what is missing, what failed and what is used instead
 */
public record ProviderFinding(String provider, Outcome outcome, String detail) {
    /** What can become of a provider. */
    public enum Outcome {
        /** It passed its self-test and is used. */
        CHOSEN,
        /** A faster one was chosen before it. */
        NOT_NEEDED,
        /** Another provider was asked for by name. */
        NOT_ASKED_FOR,
        /** The machine lacks what it needs. */
        ABSENT,
        /** It should work on this machine and does not. */
        FAILED
    }

    /** Returns whether the operator loses speed by a fault that can be mended. */
    public boolean isFault() {
        return outcome == Outcome.FAILED;
    }

    /** Returns one line, for example {@code jni: failed, libsealbook cannot be loaded: ...; bc is used instead}. */
    @Override
    public String toString() {
        return provider + ": " + outcome.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", " + detail;
    }
}
