package io.sealbook.crypto;

import io.sealbook.crypto.ProviderSearch.Candidate;
import io.sealbook.crypto.ProviderSearch.Installed;
import io.sealbook.crypto.ProviderSearch.Result;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Chooses among the providers on the class path: fastest first by declared rate, the first that opens and passes its
 * self-test is taken.
 *
 * <p>A provider that throws or lacks its native library is passed over with the reason, never an error of the caller.
 * Stateless; each call opens a new verifier, which is the caller's to close.
 */
public final class SignatureProviders {
    private SignatureProviders() {}

    /**
     * A chosen verifier and how it was chosen.
     *
     * @param verifier the caller's to close
     * @param findings one per provider looked at, for the operator's log
     */
    public record Choice(SignatureVerifier verifier, List<ProviderFinding> findings) {
        public Choice {
            findings = List.copyOf(findings);
        }
    }

    /** Returns the fastest verifier of this machine; there is always {@code bc}. */
    public static SignatureVerifier best() {
        return chooseBest().verifier();
    }

    /**
     * Returns the verifier of one provider.
     *
     * @param name such as {@code bc} or {@code gpu}
     * @throws IllegalArgumentException if there is no such provider, or it cannot serve on this machine; the message
     *     has the reason
     */
    public static SignatureVerifier named(String name) {
        return chooseNamed(name).verifier();
    }

    /** As {@link #best}, with the findings. */
    public static Choice chooseBest() {
        return choose(ProviderSearch.installed(SignatureProvider.class), name -> true, "any provider");
    }

    /** As {@link #named}, with the findings. */
    public static Choice chooseNamed(String name) {
        return choose(ProviderSearch.installed(SignatureProvider.class), name::equals, "provider " + name);
    }

    /**
     * Returns the fastest verifier of the other providers, with the findings.
     *
     * @param name the provider to leave out
     */
    public static Choice chooseBeside(String name) {
        return choose(
                ProviderSearch.installed(SignatureProvider.class), other -> !other.equals(name), "any but " + name);
    }

    static Choice choose(Installed<SignatureProvider> installed, Predicate<String> isWanted, String wanted) {
        List<Candidate<SignatureVerifier>> candidates = installed.providers().stream()
                .map(provider ->
                        new Candidate<>(provider.name(), provider.verificationsPerSecond(), () -> openTested(provider)))
                .toList();
        Result<SignatureVerifier> result = ProviderSearch.search(candidates, installed.failures(), isWanted);
        return new Choice(
                result.value()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "no verifier for " + wanted + ": " + result.description())),
                result.findings());
    }

    private static Opening<SignatureVerifier> openTested(SignatureProvider provider) {
        Opening<SignatureVerifier> opening = provider.open();
        if (!(opening instanceof Opening.Opened<SignatureVerifier> opened)) {
            return opening;
        }
        Optional<String> failure = selfTest(opened.value());
        if (failure.isPresent()) {
            return new Opening.Failed<>("self-test failed: " + failure.get());
        }
        return new Opening.Opened<>(
                opened.value(),
                "self-test passed, declared " + provider.verificationsPerSecond() + " verifications/s, "
                        + opened.description());
    }

    /** Runs the self-test and closes a verifier that does not pass it. */
    private static Optional<String> selfTest(SignatureVerifier verifier) {
        Optional<String> failure;
        try {
            failure = ProviderSelfTest.failure(verifier);
        } catch (RuntimeException | LinkageError e) {
            failure = Optional.of(e.toString());
        }
        if (failure.isPresent()) {
            verifier.close();
        }
        return failure;
    }
}
