package io.sealbook.chaos.history;

/**
 * A promise that was broken.
 *
 * @param rule which promise
 * @param facts what was expected and what was found, with its place
 */
public record Violation(Rule rule, String facts) {
    /** The promises. */
    public enum Rule {
        /** An acknowledged or reported batch is in the chain. */
        ACKNOWLEDGED_IS_KEPT,
        /** A batch is where its receipt places it. */
        SAME_PLACE,
        /** The chain has what the broker submitted, and nothing else. */
        SAME_CONTENT,
        /** Each entry has one answer: accepted, rejected, canceled, replaced. */
        EXACTLY_ONCE,
        /** Reports of a broker are numbered without a gap, in the order of the chain. */
        REPORT_ORDER,
        /** What a broker has seen stays so. */
        STABLE_REPORTS,
        /** An order goes from new over partially filled to filled, canceled or replaced, and its quantities add up. */
        ORDER_LIFE,
        /** A trade has two sides that agree. */
        TRADE_SIDES,
        /** What was seen before a submission began is before it in the chain, and nothing is seen before it began. */
        REAL_TIME,
        /** All archives hold the same bytes, all engines have the same results. */
        SAME_EVERYWHERE,
        /** No node has evidence that a member which told no lie, or a broker, has signed twice what excludes itself. */
        SIGNED_ONCE,
        /** A process ends only as its faults explain, and documented procedures work. */
        DOCUMENTED_BEHAVIOUR,
        /** When no fault is left, everything that was submitted is committed and executed. */
        LIVENESS,
        /** The files that are judged are all those that the run left, and hold what it recorded. */
        WHOLE_RUN
    }

    @Override
    public String toString() {
        return rule + ": " + facts;
    }
}
