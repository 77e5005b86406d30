package io.sealbook.crypto;

import io.sealbook.crypto.ProviderSearch.Installed;
import java.util.List;
import java.util.function.Predicate;

/**
 * Chooses among the providers on the class path: each that opens and passes its self-test is measured for some 30 ms,
 * and the fastest is taken. A provider of Java code alone is tested and measured once in a process.
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
     * @param verificationsPerSecond measured when it, or the first of a provider of Java code alone, was opened, on one
     *     calling thread: a lower bound
     * @param findings one per provider looked at, for the operator's log
     */
    public record Choice(SignatureVerifier verifier, int verificationsPerSecond, List<ProviderFinding> findings) {
        public Choice {
            findings = List.copyOf(findings);
        }
    }

    /** Returns the fastest verifier of this machine; there is always {@code bc}. */
    public static SignatureVerifier best() {
        return choose(VerifierSettings.best()).verifier();
    }

    /**
     * Returns the verifier of one provider.
     *
     * @param name such as {@code bc} or {@code gpu}
     * @throws IllegalArgumentException if there is no such provider, or it cannot serve on this machine; the message
     *     has the reason
     */
    public static SignatureVerifier named(String name) {
        return choose(VerifierSettings.named(name)).verifier();
    }

    /**
     * Returns the verifier that the settings ask for, with the findings.
     *
     * @throws IllegalArgumentException if a setting is wrong, or the provider that the settings name cannot serve on
     *     this machine; the message has the reason
     */
    public static Choice choose(VerifierSettings settings) {
        return choose(ProviderSearch.installed(SignatureProvider.class), settings);
    }

    /**
     * Returns the fastest verifier of the other providers, with the findings.
     *
     * @param name the provider to leave out
     * @param settings of all providers; which one they name does not matter here
     */
    public static Choice chooseBeside(String name, VerifierSettings settings) {
        return search(
                ProviderSearch.installed(SignatureProvider.class),
                settings,
                other -> !other.equals(name),
                "any but " + name);
    }

    static Choice choose(Installed<SignatureProvider> installed, VerifierSettings settings) {
        check(installed.providers(), settings);
        return settings.asksForBest()
                ? search(installed, settings, name -> true, "any provider")
                : search(installed, settings, settings.provider()::equals, "provider " + settings.provider());
    }

    /** Refuses what no provider reads: a misspelt key would silently mean its default. */
    private static void check(List<SignatureProvider> providers, VerifierSettings settings) {
        List<String> names = providers.stream().map(SignatureProvider::name).toList();
        for (String key : settings.values().keySet()) {
            if (!names.contains(key.substring(0, key.indexOf('.')))) {
                throw new IllegalArgumentException("verifier." + key + " names none of the providers " + names);
            }
        }
        providers.forEach(provider -> provider.check(settings.of(provider.name())));
    }

    private static Choice search(
            Installed<SignatureProvider> installed,
            VerifierSettings settings,
            Predicate<String> isWanted,
            String wanted) {
        VerifierSearch.Result result = VerifierSearch.search(installed, settings, isWanted);
        return result.choice()
                .orElseThrow(
                        () -> new IllegalArgumentException("no verifier for " + wanted + ": " + result.description()));
    }
}
