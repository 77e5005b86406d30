package io.sealbook.crypto;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The settings of one provider of signature verification, read by key and type.
 *
 * <p>It remembers which keys were read, so that {@link #refuseUnknown} finds a misspelt one. Messages name the whole
 * key, such as {@code verifier.gpu.lane-count}. One thread at a time.
 */
public final class ProviderSettings {
    private final String prefix;
    private final Map<String, String> values;
    private final TreeSet<String> known = new TreeSet<>();

    /**
     * Takes the values of one provider.
     *
     * @param provider name of the provider
     * @param values value of each key, without the provider's name; copied
     */
    public ProviderSettings(String provider, Map<String, String> values) {
        prefix = "verifier." + provider + ".";
        this.values = new TreeMap<>(values);
    }

    /**
     * Returns a whole number of 32 bits; its range is the caller's to check.
     *
     * @param key in lower case with hyphens
     * @param defaultValue returned if the key is absent
     * @throws IllegalArgumentException if the value is no such number
     */
    public int number(String key, int defaultValue) {
        long value = longNumber(key, defaultValue);
        if (value != (int) value) {
            throw new IllegalArgumentException(prefix + key + "=" + value + " is not a number of 32 bits");
        }
        return (int) value;
    }

    /**
     * Returns a whole number of 64 bits; its range is the caller's to check.
     *
     * @param key in lower case with hyphens
     * @param defaultValue returned if the key is absent
     * @throws IllegalArgumentException if the value is no such number
     */
    public long longNumber(String key, long defaultValue) {
        known.add(key);
        String value = values.get(key);
        if (value == null) {
            return defaultValue;
        }
        try {
            return Long.parseLong(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(prefix + key + "=" + value + " is not a whole number", e);
        }
    }

    /**
     * Returns a constant, which settings write in lower case with hyphens.
     *
     * @param key in lower case with hyphens
     * @param defaultValue returned if the key is absent
     * @throws IllegalArgumentException if there is no such constant
     */
    public <E extends Enum<E>> E choice(String key, E defaultValue) {
        known.add(key);
        String value = values.get(key);
        if (value == null) {
            return defaultValue;
        }
        E[] constants = defaultValue.getDeclaringClass().getEnumConstants();
        return Arrays.stream(constants)
                .filter(constant -> spelling(constant).equals(value.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(prefix + key + "=" + value + " is none of "
                        + Arrays.stream(constants)
                                .map(ProviderSettings::spelling)
                                .toList()));
    }

    /**
     * Refuses keys that have not been read.
     *
     * @throws IllegalArgumentException if there are any
     */
    public void refuseUnknown() {
        TreeSet<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown keys " + unknown + " in " + prefix + "*, known are " + known);
        }
    }

    private static String spelling(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
