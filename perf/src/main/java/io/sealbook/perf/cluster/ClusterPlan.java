package io.sealbook.perf.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What a local cluster is made of.
 *
 * @param home root of the source tree, with the built jars below it
 * @param directory place of keys, genesis and all data; the first start creates it, the next use it again
 * @param basePort first of ten ports per node
 * @param nodeCount {@link #NODES_MIN} to {@link #NODES_MAX}
 * @param brokerSchemes one broker for each, ids from 1: {@code sm2} or {@code secp256k1}
 * @param instruments as the testnet command takes them: id:symbol:decimals:priceMin:priceMax:quantityMax
 * @param testnetOptions further options of the testnet command
 * @param engineOptions further options of the engine's start command
 * @param nodeHeapMb largest heap of a node, in MB
 * @param engineHeapMb largest heap of an engine, in MB
 * @param isHeapFixed whether heaps have their full size from the start, as on a server
 * @param recording what node 0 and engine 0 record
 * @param shapes in which processes a node runs with its engine, by its id; either none or all of them are
 *     {@link NodeShape#EXPERIMENT}, whose engine the testnet options name
 * @param nodeEnvironment environment variables of a node's process, by its id, beside those of this process
 * @param launcher what each process is started by: a program and arguments, before those of the process; empty for none
 * @param otherHome root of another source tree, from whose jars replicas with odd ids run; empty: from those of home
 * @param isUntrained whether no process starts from what an earlier cluster has learnt
 */
public record ClusterPlan(
        Path home,
        Path directory,
        int basePort,
        int nodeCount,
        List<String> brokerSchemes,
        List<String> instruments,
        List<String> testnetOptions,
        List<String> engineOptions,
        int nodeHeapMb,
        int engineHeapMb,
        boolean isHeapFixed,
        Recording recording,
        IntFunction<NodeShape> shapes,
        IntFunction<Map<String, String>> nodeEnvironment,
        List<String> launcher,
        Optional<Path> otherHome,
        boolean isUntrained) {
    /** One faulty node is tolerated. */
    public static final int NODES_MIN = 4;

    /** Four faulty nodes are tolerated; more do not fit one machine. */
    public static final int NODES_MAX = 13;

    private static final int HEAPS_MB = 8 * 768;
    private static final int HEAP_MB_MIN = 256;

    /** What a node and an engine of the cluster note while they run. */
    public enum Recording {
        NONE,
        /** Where their time goes: Flight Recorder, into node0/node.jfr and node0/engine.jfr. */
        PROFILE,
        /** What their virtual machines load and compile, for {@link LocalCluster#keepTraining}. */
        TRAINING
    }

    public ClusterPlan {
        if (nodeCount < NODES_MIN || nodeCount > NODES_MAX) {
            throw new IllegalArgumentException(
                    "a local cluster has " + NODES_MIN + " to " + NODES_MAX + " nodes, not " + nodeCount);
        }
    }

    /**
     * Returns a plan of nodes with moderate heaps, smaller ones for more than four nodes.
     *
     * @param home root of the source tree
     * @param directory place of keys, genesis and all data
     * @param basePort first of ten ports per node
     * @param nodeCount {@link #NODES_MIN} to {@link #NODES_MAX}
     * @param brokerSchemes one broker per entry, ids from 1: {@code sm2} or {@code secp256k1}
     * @param instruments id:symbol:decimals:priceMin:priceMax:quantityMax
     */
    public static ClusterPlan of(
            Path home,
            Path directory,
            int basePort,
            int nodeCount,
            List<String> brokerSchemes,
            List<String> instruments) {
        int heapMb = Math.max(HEAP_MB_MIN, HEAPS_MB / (2 * nodeCount));
        return new ClusterPlan(
                home,
                directory,
                basePort,
                nodeCount,
                brokerSchemes,
                instruments,
                List.of(),
                List.of(),
                heapMb,
                heapMb,
                false,
                Recording.NONE,
                node -> NodeShape.SPLIT,
                node -> Map.of(),
                List.of(),
                Optional.empty(),
                false);
    }

    public ClusterPlan withTestnetOptions(List<String> options) {
        return copy(options, engineOptions, isHeapFixed, recording, shapes, nodeEnvironment);
    }

    public ClusterPlan withEngineOptions(List<String> options) {
        return copy(testnetOptions, options, isHeapFixed, recording, shapes, nodeEnvironment);
    }

    public ClusterPlan withFixedHeaps() {
        return copy(testnetOptions, engineOptions, true, recording, shapes, nodeEnvironment);
    }

    public ClusterPlan withRecording(Recording wanted) {
        return copy(testnetOptions, engineOptions, isHeapFixed, wanted, shapes, nodeEnvironment);
    }

    /** Returns the plan with nodes that all have the same shape. */
    public ClusterPlan withShape(NodeShape shape) {
        return withShapes(node -> shape);
    }

    /** Returns the plan with the shape of each node, by its id. */
    public ClusterPlan withShapes(IntFunction<NodeShape> wanted) {
        return copy(testnetOptions, engineOptions, isHeapFixed, recording, wanted, nodeEnvironment);
    }

    /** Returns the shape of a node. */
    NodeShape shape(int nodeId) {
        return shapes.apply(nodeId);
    }

    /** Returns whether nodes run engines of an experiment. */
    boolean isExperiment() {
        return shape(0) == NodeShape.EXPERIMENT;
    }

    /** Returns the plan with environment variables for each node, by its id. */
    public ClusterPlan withNodeEnvironment(IntFunction<Map<String, String>> variables) {
        return copy(testnetOptions, engineOptions, isHeapFixed, recording, shapes, variables);
    }

    /** Returns the plan with processes that may open no more than a number of files and sockets. */
    public ClusterPlan withDescriptorsMax(int descriptorsMax) {
        return new ClusterPlan(
                home,
                directory,
                basePort,
                nodeCount,
                brokerSchemes,
                instruments,
                testnetOptions,
                engineOptions,
                nodeHeapMb,
                engineHeapMb,
                isHeapFixed,
                recording,
                shapes,
                nodeEnvironment,
                List.of("sh", "-c", "ulimit -n " + descriptorsMax + " && exec \"$0\" \"$@\""),
                otherHome,
                isUntrained);
    }

    /**
     * Returns the plan with replicas of two builds: those with odd ids run from the jars of another source tree, if
     * there is one.
     */
    public ClusterPlan withOtherHome(Optional<Path> other) {
        return new ClusterPlan(
                home,
                directory,
                basePort,
                nodeCount,
                brokerSchemes,
                instruments,
                testnetOptions,
                engineOptions,
                nodeHeapMb,
                engineHeapMb,
                isHeapFixed,
                recording,
                shapes,
                nodeEnvironment,
                launcher,
                other,
                isUntrained);
    }

    /**
     * Returns the plan with processes that all start untrained: clusters of other shapes can be compared with it that
     * never are.
     */
    public ClusterPlan withoutTraining() {
        return new ClusterPlan(
                home,
                directory,
                basePort,
                nodeCount,
                brokerSchemes,
                instruments,
                testnetOptions,
                engineOptions,
                nodeHeapMb,
                engineHeapMb,
                isHeapFixed,
                recording,
                shapes,
                nodeEnvironment,
                launcher,
                otherHome,
                true);
    }

    private ClusterPlan copy(
            List<String> testnet,
            List<String> engine,
            boolean isHeapOfFixedSize,
            Recording recorded,
            IntFunction<NodeShape> nodeShapes,
            IntFunction<Map<String, String>> variables) {
        return new ClusterPlan(
                home,
                directory,
                basePort,
                nodeCount,
                brokerSchemes,
                instruments,
                testnet,
                engine,
                nodeHeapMb,
                engineHeapMb,
                isHeapOfFixedSize,
                recorded,
                nodeShapes,
                variables,
                launcher,
                otherHome,
                isUntrained);
    }
}
