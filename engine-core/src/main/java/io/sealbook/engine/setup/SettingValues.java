package io.sealbook.engine.setup;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Values of settings as text, turned into what they mean. A value that does not fit ends in an
 * {@link IllegalArgumentException} that names its key.
 *
 * @param source returns the value of a key with its prefix, or null where the default holds
 */
record SettingValues(UnaryOperator<String> source) {
    String text(String key, String byDefault) {
        return read(key, byDefault, "text", Function.identity());
    }

    int number(String key, int byDefault) {
        return read(key, byDefault, "a whole number", Integer::valueOf);
    }

    long longNumber(String key, long byDefault) {
        return read(key, byDefault, "a whole number", Long::valueOf);
    }

    double fraction(String key, double byDefault) {
        return read(key, byDefault, "a number", Double::valueOf);
    }

    boolean flag(String key, boolean byDefault) {
        return read(key, byDefault, "true or false", SettingValues::flag);
    }

    /** Reads a constant written in lower case with hyphens. */
    <E extends Enum<E>> E choice(String key, E byDefault) {
        Map<String, E> constants = new LinkedHashMap<>();
        for (E constant : byDefault.getDeclaringClass().getEnumConstants()) {
            constants.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
        }
        return read(key, byDefault, "one of " + constants.keySet(), text -> oneOf(constants, text));
    }

    private <T> T read(String key, T byDefault, String expected, Function<String, T> meaning) {
        String text = source.apply(EngineSettings.PREFIX + key);
        if (text == null || text.isBlank()) {
            return byDefault;
        }
        try {
            return meaning.apply(text.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "sealbook.engine: " + key + " is '" + text + "', expected " + expected, e);
        }
    }

    private static boolean flag(String text) {
        return oneOf(Map.of("true", true, "false", false), text);
    }

    private static <T> T oneOf(Map<String, T> values, String text) {
        T value = values.get(text);
        if (value == null) {
            throw new IllegalArgumentException(text);
        }
        return value;
    }
}
