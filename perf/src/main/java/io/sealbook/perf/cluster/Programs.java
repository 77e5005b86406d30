package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The programs of a local cluster.
 *
 * @param node null if every node is a replica
 * @param engine null if no node has a separate engine
 * @param replica null if no node is a replica
 * @param liar null if no node can lie
 * @param otherReplica of the other build; null if all replicas are of one
 */
record Programs(
        StartArchive node, StartArchive engine, StartArchive replica, StartArchive liar, StartArchive otherReplica) {
    /**
     * Prepares those that a plan needs.
     *
     * @param plan whose directory has the nodes' files
     * @param nodeCount nodes of the cluster
     */
    static Programs of(ClusterPlan plan, int nodeCount) throws InterruptedException {
        Set<NodeShape> shapes =
                IntStream.range(0, nodeCount).mapToObj(plan::shape).collect(Collectors.toSet());
        Path directory = plan.directory().resolve("node0");
        Programs programs = new Programs(
                node(plan, shapes, directory),
                shapes.stream().anyMatch(NodeShape::hasEngineBeside)
                        ? StartArchive.engine(
                                LocalCluster.jar(plan.home(), "matching-engine"), directory, plan.engineHeapMb())
                        : null,
                shapes.contains(NodeShape.REPLICA) ? replica(plan, plan.home(), directory) : null,
                shapes.contains(NodeShape.LIAR) ? unarchived(plan, "chaos") : null,
                plan.otherHome().isPresent() ? replica(plan, plan.otherHome().get(), directory) : null);
        return plan.isUntrained() ? programs.untrained() : programs;
    }

    private Programs untrained() {
        return new Programs(
                untrained(node), untrained(engine), untrained(replica), untrained(liar), untrained(otherReplica));
    }

    private static StartArchive untrained(StartArchive program) {
        return program == null ? null : program.untrained();
    }

    private static StartArchive replica(ClusterPlan plan, Path home, Path directory) throws InterruptedException {
        return StartArchive.node(LocalCluster.jar(home, "replica"), directory, plan.nodeHeapMb() + plan.engineHeapMb());
    }

    /** Returns the program of a replica. */
    StartArchive replica(int nodeId) {
        return otherReplica != null && nodeId % 2 == 1 ? otherReplica : replica;
    }

    private static StartArchive node(ClusterPlan plan, Set<NodeShape> shapes, Path directory)
            throws InterruptedException {
        if (shapes.contains(NodeShape.EXPERIMENT)) {
            return unarchived(plan, "perf");
        }
        return shapes.contains(NodeShape.SPLIT)
                ? StartArchive.node(LocalCluster.jar(plan.home(), "consensus-node"), directory, plan.nodeHeapMb())
                : null;
    }

    private static StartArchive unarchived(ClusterPlan plan, String module) {
        return new StartArchive(LocalCluster.jar(plan.home(), module), List.of(), false, null);
    }

    /** Returns whether all of them start from what {@link #keepTraining} kept. */
    boolean areTrained() {
        return all().allMatch(StartArchive::isTrained);
    }

    /** Does what {@link LocalCluster#keepTraining} says. */
    void keepTraining() throws IOException, InterruptedException {
        for (StartArchive program : all().toList()) {
            program.makeTrained();
        }
        for (StartArchive program : all().toList()) {
            program.keepTrained();
        }
    }

    private Stream<StartArchive> all() {
        return Stream.of(node, engine, replica, liar, otherReplica).filter(program -> program != null);
    }
}
