package io.sealbook.crypto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/**
 * Chooses among the providers on the class path: fastest first by declared rate, the first that opens and passes its self-test is taken.
 *
 * <p>A provider that throws or lacks its native library is passed over with the reason, never an error of the caller. Stateless; each
 * call opens a new verifier, which is the caller's to close.
 */
public final class SignatureProviders {
    private SignatureProviders() {}

    /**
     * A chosen verifier and how it was chosen.
     *
     * @param verifier the caller's to close
     * @param description one line per provider looked at, for the operator's log
     */
    public record Choice(SignatureVerifier verifier, List<String> description) {
        public Choice {
            description = List.copyOf(description);
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
     * @throws IllegalArgumentException if there is no such provider, or it cannot serve on this machine; the message tells why
     */
    public static SignatureVerifier named(String name) {
        return chooseNamed(name).verifier();
    }

    /** As {@link #best}, with the reasons. */
    public static Choice chooseBest() {
        return choose(installed(), name -> true, "any provider");
    }

    /** As {@link #named}, with the reasons. */
    public static Choice chooseNamed(String name) {
        return choose(installed(), name::equals, "provider " + name);
    }

    /** What service loading found: usable providers, and a line for each that could not even be made. */
    record Installed(List<SignatureProvider> providers, List<String> failures) {}

    static Choice choose(Installed installed, Predicate<String> isWanted, String wanted) {
        List<SignatureProvider> ranked = new ArrayList<>(installed.providers());
        ranked.sort(Comparator.comparingInt(SignatureProvider::verificationsPerSecond)
                .reversed()
                .thenComparing(SignatureProvider::name));
        List<String> description = new ArrayList<>(installed.failures());
        Optional<SignatureVerifier> chosen = Optional.empty();
        for (SignatureProvider provider : ranked) {
            if (chosen.isPresent()) {
                description.add(provider.name() + ": not needed, a faster one was chosen");
            } else if (!isWanted.test(provider.name())) {
                description.add(provider.name() + ": not asked for");
            } else {
                chosen = tryOpen(provider, description);
            }
        }
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException("no verifier for " + wanted + ": " + String.join("; ", description));
        }
        return new Choice(chosen.get(), description);
    }

    private static Installed installed() {
        List<SignatureProvider> providers = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        Iterator<SignatureProvider> found = ServiceLoader.load(
                        SignatureProvider.class, SignatureProviders.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    return new Installed(providers, failures);
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add("a provider could not be loaded: " + e);
            }
        }
    }

    private static Optional<SignatureVerifier> tryOpen(SignatureProvider provider, List<String> description) {
        String name = provider.name();
        try {
            Optional<SignatureVerifier> opened = provider.openVerifier();
            if (opened.isEmpty()) {
                description.add(name + ": absent, " + provider.status());
                return opened;
            }
            Optional<String> failure = selfTest(opened.get());
            if (failure.isPresent()) {
                description.add(name + ": passed over, self-test failed: " + failure.get());
                return Optional.empty();
            }
            description.add(name + ": chosen, self-test passed, declared " + provider.verificationsPerSecond()
                    + " verifications/s, " + provider.status());
            return opened;
        } catch (RuntimeException | LinkageError e) {
            description.add(name + ": passed over, " + e);
            return Optional.empty();
        }
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
