package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.config.OpenedKeys;
import io.sealbook.consensus.config.ReplacedIdentityException;
import io.sealbook.consensus.config.StartOptions;
import io.sealbook.consensus.execution.InProcessEngineFactory;
import io.sealbook.consensus.testnet.InstrumentSpec;
import io.sealbook.consensus.testnet.TestnetPlan;
import io.sealbook.consensus.testnet.TestnetWriter;
import io.sealbook.consensus.tool.NodeTool;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.NodeStatus;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Four nodes, each with its test engine, in one process, and the vocabulary of the cluster tests. */
final class TestCluster implements AutoCloseable {
    private static final int NODES = 4;
    /** With those of the nodes that tests add. */
    static final int PORTS = 10 * (NODES + 1);

    private static final int COPIED_AT_ONCE = 1 << 16;

    private final Path directory;

    private final AutoCloseable ports;
    private final GenesisFile genesis;
    private final NodeRun[] nodes = new NodeRun[NODES + 1];
    private final Thread[] epochs = new Thread[NODES + 1];
    private final TestEngine[] engines = new TestEngine[NODES + 1];
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private final Optional<InProcessEngineFactory> engineInside;

    private TestCluster(
            Path directory, AutoCloseable ports, GenesisFile genesis, Optional<InProcessEngineFactory> engineInside) {
        this.directory = directory;
        this.ports = ports;
        this.genesis = genesis;
        this.engineInside = engineInside;
        for (int i = 0; i < NODES; i++) {
            channels.add(NettyChannelBuilder.forAddress(
                            "127.0.0.1", genesis.genesis().getNodes(i).getGatewayPort())
                    .usePlaintext()
                    .build());
        }
    }

    static TestCluster start(String... nodeProperties) throws Exception {
        return start(parameters -> parameters, nodeProperties);
    }

    static TestCluster start(UnaryOperator<Parameters.Builder> change, String... nodeProperties) throws Exception {
        Path directory = Files.createTempDirectory("sealbook-cluster");
        PortBlock ports = PortBlock.take(PORTS);
        write(directory, ports, change, nodeProperties);
        return open(directory, ports);
    }

    /**
     * Starts a cluster in which one node has further settings.
     *
     * @param node the node
     * @param settings lines of its node.properties
     * @param change of the parameters of the genesis file
     */
    static TestCluster startWith(int node, List<String> settings, UnaryOperator<Parameters.Builder> change)
            throws Exception {
        Path directory = Files.createTempDirectory("sealbook-cluster");
        PortBlock ports = PortBlock.take(PORTS);
        write(directory, ports, change);
        NodeDirectory written = new NodeDirectory(directory.resolve("net").resolve("node" + node));
        Files.write(written.propertiesFile(), settings, StandardOpenOption.APPEND);
        Files.writeString(written.engineKeyFile(), "5a".repeat(32));
        return open(directory, ports);
    }

    /**
     * Starts a cluster of replicas.
     *
     * @param engine opens the engine inside each of them
     * @param nodeProperties lines of each node's settings
     */
    static TestCluster startReplicas(InProcessEngineFactory engine, String... nodeProperties) throws Exception {
        Path directory = Files.createTempDirectory("sealbook-cluster");
        PortBlock ports = PortBlock.take(PORTS);
        write(directory, ports, parameters -> parameters, nodeProperties);
        return open(directory, ports, Optional.of(engine));
    }

    /**
     * Starts the nodes of a directory, with what earlier ones left there.
     *
     * @param directory which {@link #write} filled
     * @param lease closed with the cluster
     */
    static TestCluster open(Path directory, AutoCloseable lease) throws Exception {
        return open(directory, lease, Optional.empty());
    }

    private static TestCluster open(Path directory, AutoCloseable lease, Optional<InProcessEngineFactory> engineInside)
            throws Exception {
        GenesisFile genesis = new NodeDirectory(directory.resolve("net").resolve("node0")).readGenesis();
        TestCluster cluster = new TestCluster(directory, lease, genesis, engineInside);
        for (int i = 0; i < NODES; i++) {
            cluster.startNode(i);
        }
        cluster.awaitConnected();
        return cluster;
    }

    /**
     * Writes the directories of four nodes and two brokers; starts nothing.
     *
     * @param directory an empty one
     * @param ports at least {@link #PORTS}
     * @param change of the parameters of the genesis file
     * @param nodeProperties lines of each node's settings
     */
    static void write(
            Path directory, PortBlock ports, UnaryOperator<Parameters.Builder> change, String... nodeProperties)
            throws IOException {
        Parameters.Builder parameters = Parameters.newBuilder()
                .setSessionsPerBroker(TestBroker.SESSIONS)
                .setBlockMaxWaitMs(20)
                .setCheckpointInterval(4)
                .setLogWindow(64)
                .setRequestTimeoutMs(2_000);
        List<String> properties = new ArrayList<>();
        properties.add("payload-store-bytes=33554432");
        properties.addAll(List.of(nodeProperties)); // Of two lines with one key the later counts.
        TestnetPlan plan = new TestnetPlan(
                4711,
                List.of("127.0.0.1"),
                NODES,
                ports.base(),
                10,
                "127.0.0.1",
                SignatureScheme.ECDSA_SECP256K1_SHA256,
                List.of(SignatureScheme.SM2_SM3, SignatureScheme.ECDSA_SECP256K1_SHA256),
                List.of(),
                List.of(InstrumentSpec.parse("1:TEST:2:1:200000:1000000")),
                change.apply(parameters).build(),
                false,
                properties);
        Path net = directory.resolve("net");
        new TestnetWriter(net, plan).write(false);
    }

    void startNode(int i) throws IOException {
        NodeDirectory node = nodeDirectory(i);
        startNode(
                i,
                fatal -> engineInside.isPresent()
                        ? ConsensusNode.openReplica(
                                node, StartOptions.NONE, new OpenedKeys(), fatal, engineInside.get())
                        : ConsensusNode.open(node, StartOptions.NONE, fatal));
    }

    /**
     * Starts a node that is opened otherwise than usual.
     *
     * @param i the node
     * @param opener opens it for each epoch
     */
    void startNode(int i, NodeRun.Opener opener) throws IOException {
        NodeDirectory node = nodeDirectory(i);
        NodeRun run = new NodeRun(opener, this::fail);
        nodes[i] = run;
        if (engines[i] == null) {
            engines[i] = new TestEngine(node);
        }
        run.start();
        epochs[i] = new Thread(() -> goOn(run), "epochs-" + i);
        epochs[i].setDaemon(true);
        epochs[i].start();
    }

    private void goOn(NodeRun run) {
        try {
            run.run();
        } catch (IOException | InterruptedException | RuntimeException e) {
            fail(e);
        }
    }

    private void fail(Throwable failure) {
        synchronized (failures) {
            failures.add(failure);
        }
    }

    /** Waits until a node has failed in this way, and forgets it. */
    <T extends Throwable> T awaitFailure(Class<T> type) throws Exception {
        return awaitFailures(type, 1).get(0);
    }

    /** Waits until a number of nodes have failed in this way, and forgets it. */
    <T extends Throwable> List<T> awaitFailures(Class<T> type, int count) throws Exception {
        Facts.await(() -> count + " times " + type + "\n" + describe(), () -> {
            synchronized (failures) {
                return failures.size() >= count;
            }
        });
        synchronized (failures) {
            assertThat(failures).hasSize(count);
            List<T> found = failures.stream().map(type::cast).toList();
            failures.clear();
            return found;
        }
    }

    /**
     * Puts a new machine in place of a stopped node's: a directory with the genesis file, the settings and another key
     * with its mark.
     *
     * @param i the node
     * @param key key file of the new machine
     */
    void replaceMachine(int i, Path key) throws Exception {
        stopEngine(i);
        engines[i] = null;
        NodeDirectory node = nodeDirectory(i);
        Path former = formerMachine(i).root();
        Files.move(node.root(), former);
        Files.createDirectory(node.root());
        for (Path file : List.of(node.genesisFile(), node.propertiesFile())) {
            Files.copy(former.resolve(file.getFileName()), file);
        }
        copyKey(key, node);
    }

    /**
     * Writes the directory of another node, with the genesis file and the settings of the last one.
     *
     * @param key key file of the new machine
     * @return the node, with its ports and without its key
     */
    Node addMachine(Path key) throws Exception {
        NodeDirectory last = nodeDirectory(NODES - 1);
        NodeDirectory added = nodeDirectory(NODES);
        Files.createDirectory(added.root());
        Files.copy(last.genesisFile(), added.genesisFile());
        String settings = Files.readString(last.propertiesFile()).replace("node-id=" + (NODES - 1), "node-id=" + NODES);
        Node before = genesis.genesis().getNodes(NODES - 1);
        int step =
                before.getGatewayPort() - genesis.genesis().getNodes(NODES - 2).getGatewayPort();
        Matcher port = Pattern.compile("(admin-port=)(\\d+)").matcher(settings);
        Files.writeString(
                added.propertiesFile(),
                port.replaceAll(found -> found.group(1) + (Integer.parseInt(found.group(2)) + step)));
        copyKey(key, added);
        channels.add(NettyChannelBuilder.forAddress("127.0.0.1", before.getGatewayPort() + step)
                .usePlaintext()
                .build());
        return before.toBuilder()
                .setNodeId(NODES)
                .setName("node" + NODES)
                .setVotePort(before.getVotePort() + step)
                .setPayloadPort(before.getPayloadPort() + step)
                .setGatewayPort(before.getGatewayPort() + step)
                .setEnginePort(before.getEnginePort() + step)
                .build();
    }

    /** Its mark comes with it: the node needs it at its first start. */
    private static void copyKey(Path key, NodeDirectory node) throws IOException {
        Files.copy(key, node.keyFile(), StandardCopyOption.COPY_ATTRIBUTES);
        Files.copy(NeverVotedMark.file(key), NeverVotedMark.file(node.keyFile()), StandardCopyOption.COPY_ATTRIBUTES);
    }

    /** Returns the directory of a machine that was replaced. */
    NodeDirectory formerMachine(int i) {
        return new NodeDirectory(directory.resolve("net").resolve("former" + i));
    }

    /**
     * Starts a node as a separate process; its engine stays in this one. The caller reads its output.
     *
     * @param i the node
     * @param wrapper command before that of the node
     * @param options of {@code start}
     */
    Process startProcess(int i, List<String> wrapper, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("start"));
        arguments.addAll(List.of(options));
        arguments.add(nodeDirectory(i).root().toString());
        return startProcess(wrapper, NodeTool.class, arguments.toArray(String[]::new));
    }

    /**
     * Starts a class of the tests' class path as a process; its output is the caller's to read.
     *
     * @param wrapper command before it
     * @param main its class
     * @param arguments of it
     */
    static Process startProcess(List<String> wrapper, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(wrapper);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    /** Ends a node without a word to the others; its engine stays. */
    void kill(int i) {
        nodes[i].close();
        nodes[i] = null;
    }

    /** Ends a node whose key the others have replaced: it need not show them its last certificate any longer. */
    void endFormer(int i) throws InterruptedException {
        kill(i);
        epochs[i].join();
        synchronized (failures) {
            failures.removeIf(ReplacedIdentityException.class::isInstance);
        }
    }

    /** Ends the engine of a node; what it has executed stays told. */
    void stopEngine(int i) throws InterruptedException {
        engines[i].close();
    }

    /** Ends two engines: the others' results make no certificate. */
    void certifyNothing() throws InterruptedException {
        stopEngine(2);
        stopEngine(3);
    }

    /** Starts an engine in place of one that was stopped. */
    void startEngine(int i) {
        engines[i] = new TestEngine(nodeDirectory(i));
    }

    ConsensusNode node(int i) {
        return nodes[i] == null ? null : nodes[i].node();
    }

    TestEngine engine(int i) {
        return engines[i];
    }

    NodeDirectory nodeDirectory(int i) {
        return new NodeDirectory(directory.resolve("net").resolve("node" + i));
    }

    GenesisFile genesis() {
        return genesis;
    }

    int primary() {
        return live().get(0).status().getPrimary();
    }

    TestBroker broker(int brokerId) throws IOException {
        return broker(brokerId, 0);
    }

    TestBroker broker(int brokerId, int session) throws IOException {
        return new TestBroker(
                genesis.genesis().getChainId(),
                brokerId,
                session,
                KeyFile.readSigner(directory.resolve("net/broker" + brokerId + "/broker.key")),
                channels);
    }

    /** Returns a broker that signs with another key than that of the genesis file. */
    TestBroker brokerWith(int brokerId, int session, Path key) throws IOException {
        return new TestBroker(genesis.genesis().getChainId(), brokerId, session, KeyFile.readSigner(key), channels);
    }

    OrderGatewayGrpc.OrderGatewayBlockingStub gateway(int i) {
        return OrderGatewayGrpc.newBlockingStub(channels.get(i));
    }

    OrderGatewayGrpc.OrderGatewayStub asyncGateway(int i) {
        return OrderGatewayGrpc.newStub(channels.get(i));
    }

    private List<ConsensusNode> live() {
        return Stream.of(nodes).filter(run -> run != null).map(NodeRun::node).toList();
    }

    void awaitConnected() throws Exception {
        await("nodes connect", this::allConnected);
    }

    private boolean allConnected() {
        return live().stream().allMatch(node -> node.status().getConnectedPeersCount() == live().size() - 1);
    }

    /** Waits until every live node has this many batches in blocks. */
    void awaitCommitted(long batches) throws Exception {
        await(
                batches + " batches committed",
                () -> live().stream().allMatch(node -> node.status().getCommittedBatches() >= batches));
        live().forEach(node -> assertThat(node.status().getCommittedBatches()).isEqualTo(batches));
    }

    /** Waits until all live nodes certified a checkpoint at or above the highest that was reached. */
    /** Waits until each node has a certificate of its last block: none follows. */
    void awaitCertified() throws Exception {
        await(
                "a certificate of the last block",
                () -> live().stream().allMatch(node -> {
                    NodeStatus status = node.status();
                    return status.getStableCheckpoint() > 0
                            && status.getStableCheckpoint() == status.getLastDelivered();
                }));
    }

    void awaitEqualHeight() throws Exception {
        await(
                "equal heights",
                () -> live().stream()
                                .map(node -> node.status().getLastDelivered())
                                .distinct()
                                .count()
                        == 1);
    }

    void assertEqualChains() throws Exception {
        awaitEqualHeight();
        List<String> hashes = live().stream()
                .map(node -> HexFormat.of()
                        .formatHex(node.status().getLastBlockHash().toByteArray()))
                .distinct()
                .toList();
        assertThat(hashes).as(this::describe).hasSize(1);
        for (int i = 0; i < NODES; i++) {
            int at = i;
            if (nodes[at] != null) {
                await(
                        "engine " + at + " executes all",
                        () -> engines[at].lastExecuted() >= node(at).status().getLastDelivered());
            }
        }
    }

    /**
     * Copies the directory of a stopped node.
     *
     * @param i the node, which was killed; its engine has executed all
     * @param to a directory that does not exist
     */
    NodeDirectory copyNode(int i, Path to) throws IOException {
        copy(nodeDirectory(i).root(), to);
        return new NodeDirectory(to);
    }

    /** Copies a directory of a node. Its files are mostly holes, and so are those of the copy. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    copyFile(file, copy);
                }
            }
        }
    }

    private static void copyFile(Path from, Path to) throws IOException {
        byte[] part = new byte[COPIED_AT_ONCE];
        byte[] zeros = new byte[COPIED_AT_ONCE];
        try (InputStream source = Files.newInputStream(from);
                RandomAccessFile target = new RandomAccessFile(to.toFile(), "rw")) {
            target.setLength(Files.size(from));
            for (int count = source.readNBytes(part, 0, part.length);
                    count > 0;
                    count = source.readNBytes(part, 0, part.length)) {
                if (Arrays.equals(part, 0, count, zeros, 0, count)) {
                    target.seek(target.getFilePointer() + count);
                } else {
                    target.write(part, 0, count);
                }
            }
        }
    }

    /** Replaces the archive of a stopped node: the same chain, in which one bit of each signature is another one. */
    void alterSignatures(int i) throws Exception {
        Path archive = nodeDirectory(i).archive();
        try (ArchiveReader before = ArchiveReader.open(archive)) {
            long last = before.lastSequence();
            await("engine " + i + " has read the archive", () -> engines[i].lastExecuted() >= last);
        }
        Path honest = archive.resolveSibling("archive-honest");
        Files.move(archive, honest);
        ArchiveConfig config = new ArchiveConfig(
                genesis.digest(), genesis.genesis().getParameters().getBlocksPerSegment(), Durability.PROCESS);
        try (BlockArchive from = BlockArchive.open(honest, config);
                BlockArchive to = BlockArchive.open(archive, config)) {
            for (long sequence = 1; sequence <= from.lastSequence(); sequence++) {
                Block block = Block.wrap(from.read(sequence).orElseThrow());
                for (int batch = 0; batch < block.batchCount(); batch++) {
                    block.array()[block.batchOffset(batch) + block.batchLength(batch) - 2] ^= 1;
                }
                to.append(block.bytes());
                from.certificateAtOrAfter(sequence)
                        .filter(certificate ->
                                certificate.sequence() == block.header().sequence())
                        .ifPresent(to::putCertificate);
            }
        }
    }

    List<BlockData> blocks(int node, long last) {
        List<BlockData> blocks = new ArrayList<>();
        Iterator<BlockData> stream = gateway(node)
                .getBlocks(GetBlocksRequest.newBuilder()
                        .setFromSequence(1)
                        .setToSequence(last)
                        .build());
        stream.forEachRemaining(blocks::add);
        return blocks;
    }

    void await(String what, BooleanSupplier condition) throws Exception {
        Facts.await(() -> what + "\n" + describe(), () -> {
            synchronized (failures) {
                if (!failures.isEmpty()) {
                    throw new AssertionError(
                            "a node failed while waiting for " + what + "\n" + describe(), failures.get(0));
                }
            }
            return condition.getAsBoolean();
        });
    }

    /** Returns where every node stands. */
    String describe() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < NODES; i++) {
            text.append("node ").append(i).append(": ");
            text.append(
                    nodes[i] == null
                            ? "down"
                            : "epoch " + node(i).epoch() + " " + node(i).state() + " connected "
                                    + node(i).status().getConnectedPeersList());
            text.append('\n');
        }
        return text.toString();
    }

    /** Stops all nodes and engines; their files stay. */
    void stop() throws Exception {
        channels.forEach(ManagedChannel::shutdownNow);
        for (int i = 0; i < NODES; i++) {
            if (nodes[i] != null) {
                nodes[i].close();
            }
            if (engines[i] != null) {
                engines[i].close();
            }
        }
        ports.close();
        assertThat(failures).isEmpty();
    }

    @Override
    public void close() throws Exception {
        try {
            stop();
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
