package io.sealbook.perf.cluster;

import io.sealbook.perf.cluster.ClusterPlan.Recording;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Nodes and engines as processes on 127.0.0.1. They end with this program, unless SIGKILL ends it: then they go on, and
 * {@link WorkDirectory} refuses their directory.
 *
 * <p>One thread drives it; any thread may query the status.
 */
public final class LocalCluster implements AutoCloseable {
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final long TRAINED_STOP_TIMEOUT_MS = 120_000;
    private static final int PORTS_PER_NODE = 10;
    private static final int TRAINING_JAVA_MIN = 25;
    /** The vote port is the first of a node's ports. */
    static final int NODE_ADMIN_PORT_OFFSET = 4;

    static final int ENGINE_HTTP_PORT_OFFSET = 5;

    private final ClusterPlan plan;
    private final GenesisFile genesis;
    private final Optional<TlsIdentity> operator;
    private final Programs programs;
    private final List<ManagedProcess> nodes = new ArrayList<>();
    private final Map<Integer, ManagedProcess> engines = new TreeMap<>();
    private final ClusterStates states;
    private final Thread shutdownHook = new Thread(this::killAll, "cluster-shutdown");

    private LocalCluster(ClusterPlan plan, GenesisFile genesis, Programs programs) throws IOException {
        this.plan = plan;
        this.genesis = genesis;
        this.programs = programs;
        operator = operator(plan.directory());
        states = new ClusterStates(genesis, TlsIdentity.channelCredentials(operator), plan.isExperiment());
        for (Node node : genesis.genesis().getNodesList()) {
            Path directory = plan.directory().resolve("node" + node.getNodeId());
            NodeShape shape = plan.shape(node.getNodeId());
            Recording recording = node.getNodeId() == 0 ? plan.recording() : Recording.NONE;
            int heapMb = shape == NodeShape.REPLICA ? plan.nodeHeapMb() + plan.engineHeapMb() : plan.nodeHeapMb();
            StartArchive program = switch (shape) {
                case REPLICA -> programs.replica(node.getNodeId());
                case LIAR -> programs.liar();
                case SPLIT, EXPERIMENT -> programs.node();
            };
            nodes.add(new ManagedProcess(
                    "node " + node.getNodeId(),
                    launched(java(
                            heapMb,
                            options(program, heapMb, recording, directory.resolve("node.jfr")),
                            program.jar(),
                            nodeArguments(shape, directory))),
                    directory.resolve("node.log"),
                    plan.nodeEnvironment().apply(node.getNodeId())));
            if (shape.hasEngineBeside()) {
                engines.put(node.getNodeId(), engine(node.getNodeId(), directory, recording));
            }
        }
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /** Returns the certificate of the operator of a cluster with TLS. */
    private static Optional<TlsIdentity> operator(Path cluster) throws IOException {
        Path files = cluster.resolve("operator").resolve("tls");
        return Files.isDirectory(files) ? TlsSettings.ofFilesIn(files).open() : Optional.empty();
    }

    private ManagedProcess engine(int nodeId, Path directory, Recording recording) throws IOException {
        return new ManagedProcess(
                "engine " + nodeId,
                launched(java(
                        plan.engineHeapMb(),
                        options(programs.engine(), plan.engineHeapMb(), recording, directory.resolve("engine.jfr")),
                        programs.engine().jar(),
                        engineArguments(directory))),
                directory.resolve("engine.log"));
    }

    private List<String> launched(List<String> command) {
        return Stream.concat(plan.launcher().stream(), command.stream()).toList();
    }

    /**
     * Prepares a cluster: writes keys and genesis unless the directory holds them already. Nothing runs yet.
     *
     * @throws IOException if a jar is not built, a port is taken, or the directory cannot be written; the message names
     *     it
     */
    public static LocalCluster prepare(ClusterPlan plan) throws IOException, InterruptedException {
        Path genesisPath = plan.directory().resolve("genesis.json");
        if (!Files.exists(genesisPath)) {
            Files.createDirectories(plan.directory());
            ClusterFiles.write(plan);
        }
        GenesisFile genesis = GenesisFile.parse(Files.readAllBytes(genesisPath));
        ClusterFiles.checkPortsFree(genesis);
        return new LocalCluster(
                plan, genesis, Programs.of(plan, genesis.genesis().getNodesCount()));
    }

    /**
     * Checks that clusters can be trained on this machine.
     *
     * @throws IOException if not; the message has the reason
     */
    public static void checkTraining() throws IOException {
        if (Runtime.version().feature() < TRAINING_JAVA_MIN) {
            throw new IOException("training needs Java " + TRAINING_JAVA_MIN + " or later, this is "
                    + Runtime.version().feature());
        }
    }

    /** Returns whether all programs start from what {@link #keepTraining} kept; profiled ones never do. */
    public boolean isTrained() {
        return programs.areTrained();
    }

    /**
     * Lets all later clusters of this build start from what node 0 and engine 0 of this one recorded. It replaces an
     * earlier recording. Call it after {@link #close}.
     *
     * @throws IOException if they recorded nothing, or it cannot be used; the message is the virtual machine's
     */
    public void keepTraining() throws IOException, InterruptedException {
        programs.keepTraining();
    }

    /**
     * Returns a base port. It and the ports after it are free, and stay reserved for this process.
     *
     * @param nodeCount 1 to 13 nodes of ten ports each
     */
    public static int freeBasePort(int nodeCount) throws IOException {
        return PortBlock.take(nodeCount * PORTS_PER_NODE).base();
    }

    public GenesisFile genesis() {
        return genesis;
    }

    public Path directory() {
        return plan.directory();
    }

    /** Returns whether its ports require TLS. */
    public boolean hasTls() {
        return operator.isPresent();
    }

    /** Returns a new client of its HTTP ports, which shows the operator's certificate if they require TLS. */
    public HttpClient operatorClient() {
        HttpClient.Builder client = HttpClient.newBuilder();
        operator.ifPresent(identity -> client.sslContext(identity.context()));
        return client.build();
    }

    public int size() {
        return nodes.size();
    }

    /** Returns the address of the console that the engine of a node serves. */
    public String consoleAddress(int nodeId) {
        return "http://127.0.0.1:" + (genesis.genesis().getNodes(nodeId).getVotePort() + ENGINE_HTTP_PORT_OFFSET) + "/";
    }

    public void start() throws IOException {
        for (int i = 0; i < size(); i++) {
            nodes.get(i).start();
        }
        for (ManagedProcess engine : engines.values()) {
            engine.start();
        }
    }

    public void startNode(int nodeId) throws IOException {
        nodes.get(nodeId).start();
    }

    /** Starts the engine beside a node. */
    public void startEngine(int nodeId) throws IOException {
        separateEngine(nodeId).start();
    }

    /** Ends a node with SIGKILL. */
    public void killNode(int nodeId) throws InterruptedException {
        nodes.get(nodeId).kill();
    }

    /** Ends the engine beside a node with SIGKILL. */
    public void killEngine(int nodeId) throws InterruptedException {
        separateEngine(nodeId).kill();
    }

    /** Returns the process of a node, or of node and engine in one. */
    public ManagedProcess node(int nodeId) {
        return nodes.get(nodeId);
    }

    /** Returns the process of the engine beside a node, if it has one. */
    public Optional<ManagedProcess> engine(int nodeId) {
        return Optional.ofNullable(engines.get(nodeId));
    }

    private ManagedProcess separateEngine(int nodeId) {
        ManagedProcess engine = engines.get(nodeId);
        if (engine == null) {
            throw new IllegalStateException("node " + nodeId + " has no engine process: " + plan.shape(nodeId));
        }
        return engine;
    }

    /**
     * Waits until every node takes orders and every engine answers.
     *
     * @throws IOException if one ended or the time passed; the message names the process that is missing, with the end
     *     of its log
     */
    public void awaitReady(Duration timeout) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        while (true) {
            checkProcesses();
            ManagedProcess missing = firstNotReady();
            if (missing == null) {
                return;
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IOException(missing.name() + " is not ready after " + timeout.toSeconds()
                        + " s; the end of its log:\n" + missing.logTail());
            }
            Thread.sleep(100);
        }
    }

    /**
     * Checks that the processes run.
     *
     * @throws IOException if one ended although this object did not stop it
     */
    public void checkProcesses() throws IOException {
        for (ManagedProcess node : nodes) {
            node.checkRunning();
        }
        for (ManagedProcess engine : engines.values()) {
            engine.checkRunning();
        }
    }

    /**
     * Returns the processor time that the running processes and this one have used, and the time that the host took.
     */
    public CpuTimes cpuTimes() {
        return new CpuTimes(
                nodes.stream().mapToDouble(ManagedProcess::cpuSeconds).sum(),
                engines.values().stream()
                        .mapToDouble(ManagedProcess::cpuSeconds)
                        .sum(),
                ManagedProcess.cpuSeconds(ProcessHandle.current()),
                StolenTime.seconds());
    }

    /** Returns the processor time that each node has used, in seconds, by its id. */
    public List<Double> nodeSeconds() {
        return nodes.stream().map(ManagedProcess::cpuSeconds).toList();
    }

    /**
     * Returns what the processes of nodes and engines hold, by their names; each collects its garbage.
     *
     * @throws IOException as {@link ProcessFootprint#of}
     */
    public Map<String, ProcessFootprint> footprints() throws IOException, InterruptedException {
        Map<String, ProcessFootprint> footprints = new TreeMap<>();
        for (ManagedProcess process :
                Stream.concat(nodes.stream(), engines.values().stream()).toList()) {
            footprints.put(process.name(), ProcessFootprint.of(process.pid()));
        }
        return footprints;
    }

    /**
     * Returns the numbers of all processes of nodes and engines.
     *
     * @throws IllegalStateException if one was never started
     */
    public List<Long> pids() {
        return Stream.concat(nodes.stream(), engines.values().stream())
                .map(ManagedProcess::pid)
                .toList();
    }

    /** Returns the status of a node, or nothing if it does not answer. */
    public Optional<NodeStatus> nodeStatus(int nodeId) {
        return states.nodeStatus(nodeId);
    }

    /**
     * Returns the state of an engine, or nothing if it does not answer. The state of one of an experiment is what the
     * node knows: the last block, the result digest, and the orders of the blocks that the node has committed.
     */
    public Optional<EngineState> engineState(int nodeId) {
        return states.engineState(nodeId);
    }

    /** Returns whether the states of its engines have trades and refusals; those of an experiment have none. */
    public boolean hasTrades() {
        return !plan.isExperiment();
    }

    /**
     * Waits until all nodes have delivered the same last block and all engines have executed it.
     *
     * @param blockMin the last block must be at least this one
     * @param timeout longest wait
     * @return the state of each engine, by node
     * @throws IOException if the time passed first; the message has the state of each
     */
    public List<EngineState> awaitQuiet(long blockMin, Duration timeout) throws IOException, InterruptedException {
        return states.awaitQuiet(blockMin, timeout);
    }

    @Override
    public void close() {
        try {
            nodes.forEach(ManagedProcess::requestStop);
            engines.values().forEach(ManagedProcess::requestStop);
            for (ManagedProcess node : nodes) {
                node.awaitStop(stopTimeoutMs());
            }
            for (ManagedProcess engine : engines.values()) {
                engine.awaitStop(stopTimeoutMs());
            }
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IllegalStateException e) {
            // The virtual machine is going down already and the hook is doing the same work.
            killAll();
        }
        states.close();
    }

    /** A virtual machine that was trained writes for seconds when it ends. */
    private long stopTimeoutMs() {
        return plan.recording() == Recording.TRAINING ? TRAINED_STOP_TIMEOUT_MS : STOP_TIMEOUT_MS;
    }

    private void killAll() {
        nodes.forEach(ManagedProcess::requestEnd);
        engines.values().forEach(ManagedProcess::requestEnd);
        try {
            for (ManagedProcess node : nodes) {
                node.awaitStop(STOP_TIMEOUT_MS);
            }
            for (ManagedProcess engine : engines.values()) {
                engine.awaitStop(STOP_TIMEOUT_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private ManagedProcess firstNotReady() {
        for (int i = 0; i < size(); i++) {
            if (nodes.get(i).isRunning()
                    && nodeStatus(i).filter(s -> s.getState().equals("NORMAL")).isEmpty()) {
                return nodes.get(i);
            }
            ManagedProcess engine = engines.getOrDefault(i, nodes.get(i));
            if (engine.isRunning() && engineState(i).isEmpty()) {
                return engine;
            }
        }
        return null;
    }

    private List<String> nodeArguments(NodeShape shape, Path directory) {
        List<String> start = List.of("start", directory.toString());
        return switch (shape) {
            case SPLIT -> start;
            case REPLICA -> Stream.concat(start.stream(), engineProperties()).toList();
            case EXPERIMENT -> Stream.concat(Stream.of("node"), start.stream()).toList();
            case LIAR -> List.of("liar", directory.toString());
        };
    }

    /** Returns the options of the engine's start command as a replica takes them. */
    private Stream<String> engineProperties() {
        return plan.engineOptions().stream()
                .flatMap(option -> Stream.of("--engine-property", option.substring("--".length())));
    }

    private List<String> engineArguments(Path directory) {
        List<String> arguments = new ArrayList<>(List.of("start", directory.toString()));
        arguments.addAll(plan.engineOptions());
        return arguments;
    }

    private List<String> options(StartArchive program, int heapMb, Recording recording, Path profile)
            throws IOException {
        List<String> options =
                new ArrayList<>(recording == Recording.TRAINING ? program.training() : program.options());
        if (plan.isHeapFixed()) {
            options.add("-Xms" + heapMb + "m");
            options.add("-XX:+UseTransparentHugePages");
        }
        if (recording == Recording.PROFILE) {
            options.add("-XX:StartFlightRecording=settings=profile,dumponexit=true,filename=" + profile);
            options.add("-Xlog:jfr+startup=off");
        }
        return options;
    }

    static List<String> java(int heapMb, List<String> options, Path jar, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                // Nearly everything dies young: what waits for its block lives for a fraction of a second.
                "-XX:NewRatio=1",
                "-XX:+ExitOnOutOfMemoryError",
                // Java 24 and later warn of libraries that use sun.misc.Unsafe; an operator cannot act on it.
                "-Dsun.misc.unsafe.memory.access=allow",
                "-Xmx" + heapMb + "m"));
        command.addAll(options);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(arguments);
        return command;
    }

    /**
     * Returns the executable jar of a module.
     *
     * @param home root of the source tree
     * @param module whose jar has its name
     * @throws IllegalStateException if it is not built
     */
    public static Path jar(Path home, String module) {
        Path jar = home.resolve(module).resolve("target").resolve(module + ".jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException(jar + " is not built; run ./mvnw -DskipTests package");
        }
        return jar;
    }
}
