package io.sealbook.perf.siege.hole;

import java.util.List;

/**
 * What came of a planted hole.
 *
 * @param hole its name
 * @param named attacks that must find it
 * @param finders those of them that found something, in the order in which they were made; empty if none did
 * @param fact what the first of them saw; empty if none did
 */
record HoleVerdict(String hole, List<String> named, List<String> finders, String fact) {
    static final String HEAD = "hole\tfound by\tfact";

    /** Returns whether each attack that must find the hole has found something. */
    boolean isFound() {
        return missedBy().isEmpty();
    }

    /** Returns the attacks that must find the hole and found nothing. */
    List<String> missedBy() {
        return named.stream().filter(attack -> !finders.contains(attack)).toList();
    }

    /** Returns a line of the table of results. */
    String row() {
        String found = finders.isEmpty() ? "nothing" : String.join(" ", finders);
        return String.join("\t", hole, found, fact.replaceAll("\\s+", " "));
    }
}
