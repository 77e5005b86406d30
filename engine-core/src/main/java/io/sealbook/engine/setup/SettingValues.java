package io.sealbook.engine.setup;

import java.util.Locale;
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

    <E extends Enum<E>> E choice(String key, E byDefault) {
        return read(
                key,
                byDefault,
                "another name",
                text -> Enum.valueOf(byDefault.getDeclaringClass(), text.toUpperCase(Locale.ROOT)));
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
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }
}
