package io.sealbook.simulator;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How many entries the tables of agreement may hold at a correct replica: by the log window, by the sessions, and by
 * the batches that are in no block. What grows with the length of a run exceeds it in the end.
 *
 * @param scenario of the run
 */
record MemoryBound(Scenario scenario) {
    /** By block: slots, votes for checkpoints, own results; votes and checkpoints that were seen for evidence. */
    private static final int BLOCK_TABLES = 5;
    /** Those of them that hold what was proposed and never delivered: slots, and votes that were seen. */
    private static final int BLOCK_TABLES_AT_END = 2;
    /** Of each other replica, votes of views that have not begun: log windows. */
    private static final int WINDOWS_OF_LATER_VIEWS = 2;
    /** Certificates of blocks that this replica's engine has not executed. */
    private static final int UNCHECKED_CERTIFICATES_MAX = 64;
    /**
     * By session: its line, the last accepted end, what is ready, what is acknowledged next, what is late, what waits
     * for a turn and who was served, what is due, and with fair order what is missing.
     */
    private static final int SESSION_TABLES = 9;
    /** Those of them that nothing empties at the end: line, what was late, what waited for a turn, who was served. */
    private static final int SESSION_TABLES_AT_END = 4;
    /** By batch in no block: held, and in a range of its own. */
    private static final int BATCH_TABLES = 2;

    private static final Set<Fault> FORGERS = EnumSet.of(Fault.EQUIVOCATE, Fault.LIE, Fault.TWIN);
    /** What a member may fill with invented sessions: 1,024 of them, each in three tables of a primary. */
    private static final int ENTRIES_OF_LIAR_MAX = 3 * 1_024;

    /**
     * Returns the bound during a run.
     *
     * @param sessions of all batches that were made
     * @param undelivered batches that were made and are in no block of the replica
     */
    int during(int sessions, int undelivered) {
        int others = scenario.replicaCount() + Simulation.ADDED_NODES_MAX;
        return (BLOCK_TABLES + WINDOWS_OF_LATER_VIEWS * others) * scenario.logWindow()
                + UNCHECKED_CERTIFICATES_MAX
                + SESSION_TABLES * sessions
                + BATCH_TABLES * undelivered
                + ofArrivals(undelivered)
                + ofLiars();
    }

    /**
     * Returns the bound at the end, when all is delivered, executed and certified: above the last checkpoint are
     * proposals that no later view took over, and what members made up that sign more than the protocol says.
     *
     * @param sessions of all batches that were made
     * @param undelivered batches that will never be in a block: of sessions that their brokers signed twice
     */
    int atEnd(int sessions, int undelivered) {
        int forgers = count(FORGERS::contains);
        int ofBlocks = forgers == 0
                ? BLOCK_TABLES_AT_END * (scenario.pipelineWindow() - 1)
                : (BLOCK_TABLES + WINDOWS_OF_LATER_VIEWS * forgers) * scenario.logWindow();
        return ofBlocks + SESSION_TABLES_AT_END * sessions + ofArrivals(undelivered) + ofLiars();
    }

    /** With fair order, what replicas say of the arrival of each batch. */
    private int ofArrivals(int undelivered) {
        return scenario.isFair() ? undelivered : 0;
    }

    private int ofLiars() {
        return count(Fault.LIE::equals) * ENTRIES_OF_LIAR_MAX;
    }

    private int count(Predicate<Fault> isCounted) {
        return (int) Arrays.stream(scenario.faults()).filter(isCounted).count();
    }
}
