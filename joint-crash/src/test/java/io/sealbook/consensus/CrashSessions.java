package io.sealbook.consensus;

/**
 * Which sessions of a broker the lanes of a life use. No session is used by two lanes or in two lives: each would sign
 * its own batch under one number.
 *
 * @param rounds crashes of the test; the last life is the one after them
 */
record CrashSessions(int rounds) {
    static final int NODES = 4;

    /** A lane leaves a session after each batch that may not have been taken; a life stops at most two nodes. */
    private static final int OF_LANE_MIN = 4;

    private static final int OF_LANE_MAX = 8;
    private static final int ROUNDS_MAX = TestBroker.SESSIONS / (NODES * OF_LANE_MIN) - 1;

    /** @throws IllegalArgumentException if a broker has too few sessions for all lives */
    CrashSessions {
        if (rounds < 1 || rounds > ROUNDS_MAX) {
            throw new IllegalArgumentException("sealbook.crash.rounds is " + rounds + ", expected 1.." + ROUNDS_MAX
                    + ": a broker has " + TestBroker.SESSIONS + " sessions");
        }
    }

    /** Returns the sessions of each lane. */
    int ofLane() {
        return Math.min(OF_LANE_MAX, TestBroker.SESSIONS / (NODES * (rounds + 1)));
    }

    /**
     * Returns the first session of a lane.
     *
     * @param life from 1, one more than there are rounds
     * @param node to which the lane leads
     */
    int first(int life, int node) {
        return ((life - 1) * NODES + node) * ofLane();
    }
}
