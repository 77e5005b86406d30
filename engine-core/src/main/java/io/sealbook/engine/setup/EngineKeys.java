package io.sealbook.engine.setup;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The keys of settings that begin with {@link EngineSettings#PREFIX}: those of {@link EngineSettings}, and those that
 * the programs around an engine read from the same file. All of them refuse any other key: a misspelt one would
 * silently mean its default.
 */
public final class EngineKeys {
    /** Of an engine in an application. */
    private static final List<String> OF_APPLICATION =
            List.of("enabled", "directory", "exit-on-failure", "grpc.enabled");

    /** Of the database, the queries and the console beside an engine. */
    private static final List<String> OF_PAGES = List.of(
            "recent-reports",
            "http.connections-per-address",
            "http.requests-per-address",
            "http.requests-per-second",
            "http.bytes-per-second",
            "http.ping-ms",
            "database.messages-max",
            "database.idle-ms",
            "history.bytes-max");

    private EngineKeys() {}

    /** Returns all keys, with their prefix. */
    public static Set<String> known() {
        Set<String> known = new TreeSet<>();
        EngineSettings.of(key -> {
            known.add(key);
            return null;
        });
        OF_APPLICATION.forEach(key -> known.add(EngineSettings.PREFIX + key));
        OF_PAGES.forEach(key -> known.add(EngineSettings.PREFIX + key));
        return known;
    }

    /**
     * Refuses keys that are not known.
     *
     * @param keys with their prefix
     * @throws IllegalArgumentException if there is an unknown one; the message names each, and the nearest known key
     */
    public static void refuseUnknown(Collection<String> keys) {
        Set<String> known = known();
        Set<String> unknown = new TreeSet<>(keys);
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(unknown.stream()
                    .map(key -> key + " (nearest is " + nearest(key, known) + ")")
                    .collect(Collectors.joining(", ", "sealbook.engine: unknown keys ", "")));
        }
    }

    private static String nearest(String key, Set<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(key, each)))
                .orElseThrow();
    }

    /** Returns the number of characters to insert, delete or replace, after Levenshtein. */
    private static int distance(String from, String to) {
        int[] distances = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = distances[0];
            distances[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = distances[j];
                distances[j] = Math.min(replaced, 1 + Math.min(distances[j], distances[j - 1]));
            }
        }
        return distances[to.length()];
    }
}
