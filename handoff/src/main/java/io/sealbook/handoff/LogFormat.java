package io.sealbook.handoff;

/**
 * The form of the log lines of nodes, replicas, engines and tools: lines of text or JSON objects, on standard output.
 * The file {@code log.xml} beside this class defines them for Logback.
 */
public final class LogFormat {
    /** Name of the environment variable, and of the system property, that chooses {@code text} or {@code json}. */
    public static final String NAME = "SEALBOOK_LOG_FORMAT";

    private LogFormat() {}

    /** Option of a command line that comes before variable and property. */
    public static final String OPTION = "--log";

    /**
     * Takes the choice from a command line, and checks it before the first line is logged; a wrong one would have no
     * log at all.
     *
     * @param arguments of the process; {@code --log FORMAT} and {@code --log=FORMAT} may be anywhere among them
     * @throws IllegalArgumentException if it is neither of the two; the message names it
     */
    public static void choose(String... arguments) {
        String option = option(arguments);
        if (option != null) {
            System.setProperty(NAME, option);
        }
        check(System.getProperty(NAME, System.getenv(NAME)));
    }

    /** Returns the value of the option; null if it is absent or has none. */
    static String option(String... arguments) {
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].startsWith(OPTION + "=")) {
                return arguments[i].substring(OPTION.length() + 1);
            }
            if (arguments[i].equals(OPTION) && i + 1 < arguments.length) {
                return arguments[i + 1];
            }
        }
        return null;
    }

    /** @param choice null for none */
    static void check(String choice) {
        if (choice != null && !choice.isEmpty() && !choice.equals("text") && !choice.equals("json")) {
            throw new IllegalArgumentException(NAME + " is '" + choice + "', expected text or json");
        }
    }
}
