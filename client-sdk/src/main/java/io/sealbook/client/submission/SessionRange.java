package io.sealbook.client.submission;

/**
 * Which sessions a client may take.
 *
 * @param first session that is tried first, below {@code count}
 * @param count sessions of a broker, by the genesis file
 */
public record SessionRange(int first, int count) {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the first session is none of them
     */
    public SessionRange {
        if (first < 0 || first >= count) {
            throw new IllegalArgumentException("session " + first + ", a broker has sessions 0.." + (count - 1));
        }
    }
}
