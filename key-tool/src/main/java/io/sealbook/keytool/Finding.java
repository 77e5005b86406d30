package io.sealbook.keytool;

/**
 * The result of one check.
 *
 * @param level how bad it is
 * @param check name of the check, the same at each run
 * @param fact found
 * @param remedy what to do; empty if there is nothing to do
 */
public record Finding(Level level, String check, String fact, String remedy) {
    /** How bad a finding is. */
    public enum Level {
        /** As it must be. */
        OK,
        /** It works, and somebody should look at it. */
        WARN,
        /** It does not work, or is not safe. */
        FAIL
    }

    /**
     * Returns a finding that is as it must be.
     *
     * @param check name of the check
     * @param fact found
     */
    public static Finding ok(String check, String fact) {
        return new Finding(Level.OK, check, fact, "");
    }

    /**
     * Returns a finding that somebody should look at.
     *
     * @param check name of the check
     * @param fact found
     * @param remedy what to do
     */
    public static Finding warn(String check, String fact, String remedy) {
        return new Finding(Level.WARN, check, fact, remedy);
    }

    /**
     * Returns a finding that does not work or is not safe.
     *
     * @param check name of the check
     * @param fact found
     * @param remedy what to do
     */
    public static Finding fail(String check, String fact, String remedy) {
        return new Finding(Level.FAIL, check, fact, remedy);
    }

    /** Returns the finding as one line. */
    public String line() {
        return level + " " + check + ": " + fact + (remedy.isEmpty() ? "" : "; " + remedy);
    }
}
