package io.sealbook.node.port;

/**
 * The verdict about a peer's answer.
 *
 * @param answer that was judged
 * @param isJudged false if this archive lacks something that the verdict needs
 * @param fault what is wrong, or what is lacking; empty if the answer is right
 */
public record RepairVerdict(RepairAnswer answer, boolean isJudged, String fault) {
    /** Returns that an answer is right. */
    public static RepairVerdict right(RepairAnswer answer) {
        return new RepairVerdict(answer, true, "");
    }

    /**
     * Returns that an answer is wrong, and its sender at fault.
     *
     * @param answer that was judged
     * @param fault what is wrong
     */
    public static RepairVerdict wrong(RepairAnswer answer, String fault) {
        return new RepairVerdict(answer, true, fault);
    }

    /**
     * Returns that nothing can be said of an answer yet.
     *
     * @param answer that was to be judged
     * @param lacking what this archive lacks
     */
    public static RepairVerdict notJudged(RepairAnswer answer, String lacking) {
        return new RepairVerdict(answer, false, lacking);
    }

    public boolean isRight() {
        return fault.isEmpty();
    }
}
