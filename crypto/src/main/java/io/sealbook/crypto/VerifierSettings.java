package io.sealbook.crypto;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which provider verifies signatures in this process, and the settings of each provider. Immutable; any thread.
 *
 * @param provider {@value #BEST} or a provider's name
 * @param values value of each setting, by provider and key: {@code gpu.lane-count}; copied
 */
public record VerifierSettings(String provider, Map<String, String> values) {
    /** Asks for the fastest provider of the machine. */
    public static final String BEST = "best";

    private static final VerifierSettings OF_BEST = new VerifierSettings(BEST, Map.of());

    /**
     * Checks the form of the keys; {@link SignatureProviders#choose} checks the rest.
     *
     * @throws IllegalArgumentException if the provider is blank or a key names no provider
     */
    public VerifierSettings {
        if (provider.isBlank()) {
            throw new IllegalArgumentException("verifier is blank");
        }
        values = Map.copyOf(values);
        for (String key : values.keySet()) {
            if (key.indexOf('.') < 1) {
                throw new IllegalArgumentException("verifier." + key + " names no provider");
            }
        }
    }

    /** Returns the default: the fastest provider with its own defaults. */
    public static VerifierSettings best() {
        return OF_BEST;
    }

    /** Returns settings that ask for one provider with its own defaults. */
    public static VerifierSettings named(String provider) {
        return new VerifierSettings(provider, Map.of());
    }

    boolean asksForBest() {
        return provider.equals(BEST);
    }

    /** Returns a fresh reader of one provider's settings. */
    public ProviderSettings of(String providerName) {
        String prefix = providerName + ".";
        Map<String, String> own = new TreeMap<>();
        values.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                own.put(key.substring(prefix.length()), value);
            }
        });
        return new ProviderSettings(providerName, own);
    }
}
