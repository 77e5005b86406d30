package io.sealbook.crypto;

/**
 * The batch sizes at which a verifier works well. Callers collect signatures by it; every size is verified. Immutable.
 *
 * @param least a smaller batch does not reach the verifier's device, 1 if it has none
 * @param from smallest batch at the verifier's full rate, at least {@code least}
 * @param to largest batch that still gains, at least {@code from}, at most {@link SignatureBatch#CAPACITY_MAX}
 * @param callers number of threads that shall call the verifier
 */
public record BatchPreference(int least, int from, int to, Callers callers) {
    /** Number of threads that shall call a verifier. */
    public enum Callers {
        /** Each call runs on a core of its caller: several callers have several times its rate. */
        ONE_PER_CORE,
        /** All calls share one device: several callers only make smaller batches. */
        ONE
    }

    public BatchPreference {
        if (least < 1 || from < least || to < from || to > SignatureBatch.CAPACITY_MAX) {
            throw new IllegalArgumentException("batches of " + least + ", " + from + " to " + to);
        }
    }

    /**
     * Returns the preference of a verifier that runs on its caller's core.
     *
     * @param from smallest batch at the full rate
     * @param to largest batch that still gains
     */
    public static BatchPreference perCore(int from, int to) {
        return new BatchPreference(1, from, to, Callers.ONE_PER_CORE);
    }

    /**
     * Returns this preference under an upper limit.
     *
     * @param max largest batch, at least 1
     */
    public BatchPreference atMost(int max) {
        return new BatchPreference(Math.min(least, max), Math.min(from, max), Math.min(to, max), callers);
    }
}
