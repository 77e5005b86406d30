package io.sealbook.perf.experiment;

import io.sealbook.perf.broker.LoadBroker;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How far the slowest of each kind is behind the first node at the moment in which the last batch has its receipts. A
 * rate that lets a reader fall behind for ever is not a rate of the platform.
 *
 * @param nodeBlocks blocks that the slowest node has not delivered
 * @param engineBlocks blocks that the slowest engine has not executed
 * @param databaseBlocks blocks that the slowest database lacks, 0 if databases are off
 * @param missingReports orders without a report, of all brokers, 0 if reports are off
 */
record Lag(long nodeBlocks, long engineBlocks, long databaseBlocks, long missingReports) {
    /** A database keeps up if it lacks no larger part of a run's blocks, in percent. */
    private static final long DATABASE_PERCENT_MAX = 10;

    /** Each waits some seconds for an answer. */
    private static final int ATTEMPTS = 15;

    /** Fewer blocks than the database writes together are no lag. */
    private static final long DATABASE_BLOCKS_MIN = 64;

    /**
     * Measures now.
     *
     * @param cluster its nodes and engines are asked, at once
     * @param brokers hear reports, or none
     * @param hasDatabase whether engines keep a database
     * @throws IOException if a node or an engine does not answer
     */
    static Lag of(LocalCluster cluster, List<LoadBroker> brokers, boolean hasDatabase) throws IOException {
        List<Long> delivered = new ArrayList<>();
        List<Long> executed = new ArrayList<>();
        List<Long> persisted = new ArrayList<>();
        for (int i = 0; i < cluster.size(); i++) {
            int nodeId = i;
            NodeStatus node = answer(() -> cluster.nodeStatus(nodeId), "node " + nodeId);
            EngineState engine = answer(() -> cluster.engineState(nodeId), "engine " + nodeId);
            delivered.add(node.getLastDelivered());
            executed.add(engine.getLastExecuted());
            persisted.add(engine.getPersistedBlock());
        }
        long first = Collections.max(delivered);
        return new Lag(
                first - Collections.min(delivered),
                Math.max(0, first - Collections.min(executed)),
                hasDatabase ? Math.max(0, first - Collections.min(persisted)) : 0,
                brokers.stream().mapToLong(LoadBroker::missingReports).sum());
    }

    /** One that shares its cores with the load answers late; its lag is what it is when it answers. */
    static <T> T answer(Supplier<Optional<T>> asking, String who) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<T> answer = asking.get();
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        throw new IOException(who + " does not answer after the load");
    }

    /**
     * Checks that databases kept up with a run.
     *
     * @param runBlocks blocks of the run
     * @throws IOException if one did not
     */
    void checkDatabase(long runBlocks) throws IOException {
        if (databaseBlocks > DATABASE_BLOCKS_MIN && databaseBlocks * 100 > runBlocks * DATABASE_PERCENT_MAX) {
            throw new IOException("a database lacks " + databaseBlocks + " blocks after a run of " + runBlocks
                    + ": it does not keep up with this load");
        }
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "behind the first node: a node by %,d blocks, an engine by %,d, a database by %,d; %,d orders without a"
                        + " report",
                nodeBlocks,
                engineBlocks,
                databaseBlocks,
                missingReports);
    }
}
