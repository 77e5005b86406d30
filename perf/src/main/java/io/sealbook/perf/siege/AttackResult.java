package io.sealbook.perf.siege;

import java.util.List;

/**
 * What came of an attack.
 *
 * @param isHeld whether the cluster kept its promises
 * @param fact what was seen, in one line
 */
record AttackResult(boolean isHeld, String fact) {
    static AttackResult held(String fact) {
        return new AttackResult(true, fact);
    }

    static AttackResult found(String fact) {
        return new AttackResult(false, fact);
    }

    /**
     * Returns the finding of an attack that looks at many things.
     *
     * @param count things that were looked at
     * @param things what they are, in the plural
     * @param faults one line for each that was not as promised
     */
    static AttackResult of(int count, String things, List<String> faults) {
        return faults.isEmpty() ? held(count + " " + things) : found(String.join("; ", faults));
    }
}
