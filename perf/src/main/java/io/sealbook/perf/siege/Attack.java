package io.sealbook.perf.siege;

/**
 * One attempt to get what is not the attacker's, or to keep others from what is theirs.
 *
 * @param name in one word with hyphens
 * @param attempt what the attacker tries, and what counts as found
 * @param action makes the attempt
 */
record Attack(String name, String attempt, Action action) {
    /** Makes an attempt. */
    interface Action {
        /**
         * Makes the attempt, and releases what it holds.
         *
         * @param besieged runs, with honest brokers that trade
         * @return what came of it
         * @throws Exception if the attempt could not be made; this counts as found
         */
        AttackResult attempt(Besieged besieged) throws Exception;
    }
}
