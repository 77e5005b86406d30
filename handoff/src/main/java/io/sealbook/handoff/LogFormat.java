package io.sealbook.handoff;

/**
 * The form of the log lines of nodes, replicas, engines and tools: lines of text or JSON objects, on standard output.
 * The file {@code log.xml} beside this class defines them for Logback.
 */
public final class LogFormat {
    /** Name of the environment variable, and of the system property, that chooses {@code text} or {@code json}. */
    public static final String NAME = "SEALBOOK_LOG_FORMAT";

    private LogFormat() {}

    /**
     * Checks the choice before the first line is logged; a wrong one would have no log at all.
     *
     * @throws IllegalArgumentException if it is neither of the two; the message names it
     */
    public static void check() {
        check(System.getProperty(NAME, System.getenv(NAME)));
    }

    /** @param choice null for none */
    static void check(String choice) {
        if (choice != null && !choice.isEmpty() && !choice.equals("text") && !choice.equals("json")) {
            throw new IllegalArgumentException(NAME + " is '" + choice + "', expected text or json");
        }
    }
}
