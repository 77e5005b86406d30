package io.sealbook.skips;

/**
 * One thing that a build left out; one line of a file, with tabs between the fields.
 *
 * @param module the folder of the Maven module
 * @param what the test class, or the step of the build
 * @param reason why; it names a {@link Need}
 */
record Skip(String module, String what, String reason) {
    static Skip parse(String line) {
        String[] fields = line.split("\t", 3);
        if (fields.length < 3) {
            throw new IllegalArgumentException("expected module, what and reason with tabs between them: " + line);
        }
        return new Skip(fields[0], fields[1], fields[2]);
    }

    String toLine() {
        return flat(module) + '\t' + flat(what) + '\t' + flat(reason);
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
