package io.sealbook.crypto;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.bouncycastle.util.BigIntegers;

/**
 * Makes signers: the fastest on the class path that passes its self-test, else the Java ones, which are always there.
 *
 * <p>All providers make the same signatures, so the choice shows in speed only. It is made once a process, when the first signer is; the system property
 * {@code sealbook.signer} ({@code bc}, {@code jni}) overrides it. Any thread.
 */
public final class Signers {
    /** Name of the Java signers. */
    static final String JAVA = "bc";

    private static final String PROPERTY = "sealbook.signer";

    private Signers() {}

    /** The process's choice; null before the first. */
    private static Choice choice;

    /**
     * A chosen provider and how it was chosen.
     *
     * @param provider empty for the Java signers
     * @param description one line per provider looked at
     */
    record Choice(Optional<SignerProvider> provider, List<String> description) {}

    /** What service loading found: usable providers, and a line for each that could not even be made. */
    record Installed(List<SignerProvider> providers, List<String> failures) {}

    /** Returns a signer with a new key, which cannot be written to a file: see {@link SigningKey#generate}. */
    public static Signer generate(SignatureScheme scheme) {
        return of(SigningKey.generate(scheme));
    }

    public static Signer of(SigningKey key) {
        return choice().provider().flatMap(provider -> open(provider, key)).orElseGet(key::javaSigner);
    }

    /**
     * Returns a signer of one provider, not self-tested.
     *
     * @param name such as {@code bc} or {@code jni}
     * @throws IllegalArgumentException if there is no such provider, or it cannot serve on this machine; the message tells why
     */
    public static Signer named(String name, SigningKey key) {
        if (name.equals(JAVA)) {
            return key.javaSigner();
        }
        for (SignerProvider provider : installed().providers()) {
            if (provider.name().equals(name)) {
                return open(provider, key)
                        .orElseThrow(() -> new IllegalArgumentException(name + " cannot sign: " + provider.status()));
            }
        }
        throw new IllegalArgumentException("no signer provider " + name);
    }

    /** Returns one line per provider looked at, for the operator's log. */
    public static List<String> description() {
        return choice().description();
    }

    /** @throws IllegalArgumentException if the property names what cannot be had */
    private static synchronized Choice choice() {
        if (choice == null) {
            choice = choose(installed(), System.getProperty(PROPERTY));
        }
        return choice;
    }

    /** @param wanted name of the only provider to consider; null for any */
    static Choice choose(Installed installed, String wanted) {
        List<SignerProvider> ranked = new ArrayList<>(installed.providers());
        ranked.sort(Comparator.comparingInt(SignerProvider::signaturesPerSecond)
                .reversed()
                .thenComparing(SignerProvider::name));
        List<String> description = new ArrayList<>(installed.failures());
        Optional<SignerProvider> chosen = Optional.empty();
        for (SignerProvider provider : ranked) {
            if (chosen.isPresent()) {
                description.add(provider.name() + ": not needed, a faster one was chosen");
            } else if (wanted != null && !wanted.equals(provider.name())) {
                description.add(provider.name() + ": not asked for");
            } else if (passes(provider, description)) {
                chosen = Optional.of(provider);
            }
        }
        if (chosen.isEmpty() && wanted != null && !wanted.equals(JAVA)) {
            throw new IllegalArgumentException("no signer of " + wanted + ": " + String.join("; ", description));
        }
        description.add(JAVA + (chosen.isEmpty() ? ": chosen" : ": not needed, a faster one was chosen"));
        return new Choice(chosen, List.copyOf(description));
    }

    private static Installed installed() {
        List<SignerProvider> providers = new ArrayList<>();
        List<String> failures = new ArrayList<>();
        Iterator<SignerProvider> found = ServiceLoader.load(SignerProvider.class, Signers.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!found.hasNext()) {
                    return new Installed(providers, failures);
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                failures.add("a signer provider could not be loaded: " + e);
            }
        }
    }

    private static boolean passes(SignerProvider provider, List<String> description) {
        String name = provider.name();
        try {
            Optional<String> failure = SignerSelfTest.failure(provider);
            description.add(failure.map(reason -> name + ": passed over, " + reason)
                    .orElseGet(() -> name + ": chosen, self-test passed, " + provider.status()));
            return failure.isEmpty();
        } catch (RuntimeException | LinkageError e) {
            description.add(name + ": passed over, " + e);
            return false;
        }
    }

    static Optional<Signer> open(SignerProvider provider, SigningKey key) {
        byte[] scalar = BigIntegers.asUnsignedByteArray(SigningKey.SCALAR_LENGTH, key.d());
        try {
            return provider.openSigner(key.verificationKey(), scalar);
        } finally {
            Arrays.fill(scalar, (byte) 0);
        }
    }
}
