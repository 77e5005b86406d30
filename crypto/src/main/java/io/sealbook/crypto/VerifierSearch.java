package io.sealbook.crypto;

import io.sealbook.crypto.ProviderFinding.Outcome;
import io.sealbook.crypto.ProviderSearch.Installed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Takes the verifier that is fastest on this machine: each provider that may be chosen is opened, tested and measured,
 * and all but the fastest are closed again.
 *
 * <p>A provider that throws or lacks its native library is passed over with the reason, never an error of the caller.
 * Stateless.
 */
final class VerifierSearch {
    /** Verifications per second of providers that are tested once per process, by their class. */
    private static final Map<Class<?>, Integer> TESTED_RATES = new ConcurrentHashMap<>();

    private VerifierSearch() {}

    /** A verifier that passed its self-test, and its place among the findings. */
    private record Contender(String name, SignatureVerifier verifier, String description, int rate, int finding) {}

    /**
     * Opens, tests and measures providers.
     *
     * @param installed providers, and findings about those that could not be made
     * @param settings of all providers
     * @param isWanted whether a provider of this name may be chosen
     * @return findings in the order of the providers, and the fastest verifier; empty if none serves
     */
    static Result search(
            Installed<SignatureProvider> installed, VerifierSettings settings, Predicate<String> isWanted) {
        List<ProviderFinding> findings = new ArrayList<>(installed.failures());
        List<Contender> contenders = new ArrayList<>();
        for (SignatureProvider provider : installed.providers()) {
            String name = provider.name();
            if (!isWanted.test(name)) {
                findings.add(new ProviderFinding(name, Outcome.NOT_ASKED_FOR, "another provider is named"));
                continue;
            }
            Opening<SignatureVerifier> opening = open(provider, settings);
            if (opening instanceof Opening.Opened<SignatureVerifier> opened) {
                opening = measured(provider, opened, findings.size(), contenders);
            }
            findings.add(finding(name, opening));
        }
        Optional<Contender> fastest = contenders.stream()
                .max(Comparator.comparingInt(Contender::rate)
                        .thenComparing(Contender::name, Comparator.reverseOrder()));
        fastest.ifPresent(chosen -> conclude(chosen, contenders, findings));
        return new Result(
                fastest.map(chosen -> new SignatureProviders.Choice(chosen.verifier, chosen.rate, findings)), findings);
    }

    /**
     * The outcome of a search.
     *
     * @param choice the fastest verifier, empty if no provider serves
     * @param findings one per provider
     */
    record Result(Optional<SignatureProviders.Choice> choice, List<ProviderFinding> findings) {
        /** Returns the findings in one line. */
        String description() {
            return String.join(
                    "; ", findings.stream().map(ProviderFinding::toString).toList());
        }
    }

    private static Opening<SignatureVerifier> open(SignatureProvider provider, VerifierSettings settings) {
        try {
            return provider.open(settings);
        } catch (RuntimeException | LinkageError e) {
            return new Opening.Failed<>(e.toString());
        }
    }

    /** Tests and measures a verifier and adds it to the contenders, or closes it and returns why it is none. */
    private static Opening<SignatureVerifier> measured(
            SignatureProvider provider,
            Opening.Opened<SignatureVerifier> opened,
            int finding,
            List<Contender> contenders) {
        SignatureVerifier verifier = opened.value();
        Integer knownRate = TESTED_RATES.get(provider.getClass());
        if (knownRate != null) {
            contenders.add(new Contender(provider.name(), verifier, opened.description(), knownRate, finding));
            return opened;
        }
        String reason;
        try {
            Optional<String> failure = ProviderSelfTest.failure(verifier);
            if (failure.isEmpty()) {
                int rate = SpeedMeasurement.verificationsPerSecond(verifier, System::nanoTime);
                failure = ProviderSelfTest.failureOfMany(verifier);
                if (failure.isEmpty()) {
                    if (provider.isTestedOncePerProcess()) {
                        TESTED_RATES.putIfAbsent(provider.getClass(), rate);
                    }
                    contenders.add(new Contender(provider.name(), verifier, opened.description(), rate, finding));
                    return opened;
                }
            }
            reason = failure.get();
        } catch (RuntimeException | LinkageError e) {
            reason = e.toString();
        }
        verifier.close();
        return new Opening.Failed<>("self-test failed: " + reason);
    }
    /** Completes the findings and closes every contender but the chosen one. */
    private static void conclude(Contender chosen, List<Contender> contenders, List<ProviderFinding> findings) {
        findings.replaceAll(found -> found.isFault()
                ? new ProviderFinding(
                        found.provider(), found.outcome(), found.detail() + "; " + chosen.name + " is used instead")
                : found);
        for (Contender contender : contenders) {
            String detail = String.format(Locale.ROOT, "%,d verifications/s measured", contender.rate);
            if (contender == chosen) {
                detail = "self-test passed, " + detail + ", " + contender.description;
                findings.set(contender.finding, new ProviderFinding(contender.name, Outcome.CHOSEN, detail));
            } else {
                contender.verifier.close();
                detail += ", " + chosen.name + " is faster";
                findings.set(contender.finding, new ProviderFinding(contender.name, Outcome.NOT_NEEDED, detail));
            }
        }
    }

    /** What was found before anything is chosen. */
    private static ProviderFinding finding(String name, Opening<SignatureVerifier> opening) {
        if (opening instanceof Opening.Absent<SignatureVerifier> absent) {
            return new ProviderFinding(name, Outcome.ABSENT, absent.reason());
        }
        if (opening instanceof Opening.Failed<SignatureVerifier> failed) {
            return new ProviderFinding(name, Outcome.FAILED, failed.reason());
        }
        return new ProviderFinding(name, Outcome.NOT_NEEDED, "");
    }
}
