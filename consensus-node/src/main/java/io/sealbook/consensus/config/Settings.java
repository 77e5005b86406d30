package io.sealbook.consensus.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Properties read by key and type; notes which keys were read, so that it can refuse the others. */
final class Settings {
    private final Properties properties;
    private final TreeSet<String> known = new TreeSet<>();

    private Settings(Properties properties) {
        this.properties = properties;
    }

    /**
     * Reads settings, refusing unknown keys: a misspelt key would silently mean its default.
     *
     * @param fileName named in a refusal
     * @param properties of the file
     * @param reader makes the configuration
     * @throws ConfigException if a value or a key is wrong
     */
    static <C> C read(String fileName, Properties properties, Function<Settings, C> reader) {
        Settings settings = new Settings(properties);
        try {
            C config = reader.apply(settings);
            settings.refuseUnknown();
            return config;
        } catch (ConfigException e) {
            throw new ConfigException(fileName + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the properties of a file.
     *
     * @throws java.nio.file.NoSuchFileException if it is missing
     */
    static Properties properties(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    /** Returns the trimmed value; a null default makes the key mandatory. */
    String text(String key, String defaultValue) {
        known.add(key);
        String value = properties.getProperty(key, defaultValue);
        ConfigException.require(value != null, key + " is missing");
        return value.strip();
    }

    int integer(String key, String defaultValue) {
        long value = longInteger(key, defaultValue);
        ConfigException.require(value == (int) value, key + "=" + value + " is too large");
        return (int) value;
    }

    long longInteger(String key, String defaultValue) {
        String value = text(key, defaultValue);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new ConfigException(key + "=" + value + " is not a whole number", e);
        }
    }

    /** Reads the id of a party of the genesis file, whose 32 bits are unsigned. */
    int id(String key, String defaultValue) {
        long value = longInteger(key, defaultValue);
        ConfigException.require(
                value == Integer.toUnsignedLong((int) value), key + "=" + value + " is no number from 0 to 4294967295");
        return (int) value;
    }

    /** Reads {@code true} or {@code false}. */
    boolean truth(String key, boolean defaultValue) {
        String value = text(key, Boolean.toString(defaultValue));
        ConfigException.require(
                value.equals("true") || value.equals("false"), key + "=" + value + " is none of [true, false]");
        return value.equals("true");
    }

    /** Returns whether the file has a key; it stays unknown. */
    boolean has(String key) {
        return properties.getProperty(key) != null;
    }

    /** Returns the keys of the file that begin with a prefix, in order; they stay unknown. */
    List<String> keysWith(String prefix) {
        return properties.stringPropertyNames().stream()
                .filter(key -> key.startsWith(prefix))
                .sorted()
                .toList();
    }

    /** Reads a constant written in lower case with hyphens. */
    <E extends Enum<E>> E choice(String key, E defaultValue) {
        Class<E> type = defaultValue.getDeclaringClass();
        String value = text(key, spelling(defaultValue));
        for (E constant : type.getEnumConstants()) {
            if (spelling(constant).equals(value)) {
                return constant;
            }
        }
        throw new ConfigException(key + "=" + value + " is none of "
                + Arrays.stream(type.getEnumConstants()).map(Settings::spelling).toList());
    }

    /** Returns all values whose key begins with the prefix, by the rest of the key; who uses them checks them. */
    Map<String, String> section(String prefix) {
        Map<String, String> values = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                values.put(key.substring(prefix.length()), text(key, null));
            }
        }
        return values;
    }

    private void refuseUnknown() {
        TreeSet<String> unknown = new TreeSet<>(properties.stringPropertyNames());
        unknown.removeAll(known);
        ConfigException.require(unknown.isEmpty(), "unknown keys " + unknown + ", known are " + known);
    }

    /** Returns a constant as a file spells it: in lower case with hyphens. */
    static String spelling(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
