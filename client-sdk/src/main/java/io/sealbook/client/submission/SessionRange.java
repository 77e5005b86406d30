package io.sealbook.client.submission;

/**
 * Which sessions a client may take: they are its program's alone.
 *
 * @param first session that is tried first
 * @param last session that is tried last
 */
public record SessionRange(int first, int last) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it has no session
     */
    public SessionRange {
        if (first < 0 || first > last) {
            throw new IllegalArgumentException("sessions " + first + ".." + last);
        }
    }

    /** Returns whether a client may take a session. */
    public boolean has(int session) {
        return first <= session && session <= last;
    }

    @Override
    public String toString() {
        return first == last ? "session " + first : "sessions " + first + ".." + last;
    }
}
