package io.sealbook.simulator.mutation;

import java.util.List;

/**
 * What became of a mutant.
 *
 * @param mutant that was planted
 * @param finder "simulator", the name of the test class, or "nobody"
 * @param seeds that were run, the one that failed included; 0 if a test found it
 * @param seconds that it took
 * @param fact what the finder reported, in one line
 */
record MutantVerdict(Mutant mutant, String finder, long seeds, double seconds, String fact) {
    static final String SIMULATOR = "simulator";
    static final String NOBODY = "nobody";

    /** Heads of the columns of {@link #row()}. */
    static final String COLUMNS = "name\tfile\tfinder\tseeds\tseconds\tfact";

    boolean isFound() {
        return !finder.equals(NOBODY);
    }

    boolean isFoundBySimulator() {
        return finder.equals(SIMULATOR);
    }

    /** Returns the verdict as a row of tab-separated values. */
    String row() {
        return String.join(
                "\t",
                List.of(
                        mutant.name(),
                        mutant.file().substring(mutant.file().lastIndexOf('/') + 1),
                        finder,
                        Long.toString(seeds),
                        String.format("%.1f", seconds),
                        fact.replaceAll("\\s+", " ")));
    }
}
