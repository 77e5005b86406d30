package io.sealbook.perf.siege.hole;

import java.util.List;

/**
 * What came of a planted hole.
 *
 * @param hole its name
 * @param finders attacks named for it that found something, in the order in which they were made; empty if none did
 * @param fact what the first of them saw; empty if none did
 */
record HoleVerdict(String hole, List<String> finders, String fact) {
    static final String HEAD = "hole\tfound by\tfact";

    boolean isFound() {
        return !finders.isEmpty();
    }

    /** Returns a line of the table of results. */
    String row() {
        return String.join("\t", hole, isFound() ? String.join(" ", finders) : "nothing", fact.replaceAll("\\s+", " "));
    }
}
