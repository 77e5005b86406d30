package io.sealbook.perf.cluster;

import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Node and engine of a member that the genesis file does not name, on the ports after those of the others. */
final class AddedMachine implements AutoCloseable {
    private static final int ID = 4;
    private static final int PORTS_PER_NODE = 10;
    private static final int HEAP_MB = 256;
    private static final long STOP_TIMEOUT_MS = 10_000;
    private static final String WAITING = "waits for an administrative transaction";
    private static final String REMOVED = "was replaced or removed";

    private final LocalCluster cluster;
    private final Path directory;
    private final Node last;
    private final ManagedProcess node;
    private final ManagedProcess engine;

    AddedMachine(LocalCluster cluster) throws IOException {
        this.cluster = cluster;
        this.directory = cluster.directory().resolve("node" + ID);
        this.last = cluster.genesis().genesis().getNodes(ID - 1);
        node = process("consensus-node");
        engine = process("matching-engine");
    }

    private ManagedProcess process(String module) throws IOException {
        return new ManagedProcess(
                module + " " + ID,
                LocalCluster.java(
                        HEAP_MB,
                        List.of(),
                        LocalCluster.jar(Home.find(), module),
                        List.of("start", directory.toString())),
                directory.resolve(module + ".log"));
    }

    /** Returns host and ports as the option {@code --add-node} takes them. */
    String endpoints() {
        return String.join(
                ":",
                last.getHost(),
                after(last.getVotePort()),
                after(last.getPayloadPort()),
                after(last.getGatewayPort()),
                after(last.getEnginePort()));
    }

    private static String after(int port) {
        return Integer.toString(port + PORTS_PER_NODE);
    }

    /**
     * Prepares the directory as the manual says, starts the programs, and waits until the node waits.
     *
     * @param key of the node's identity; its mark is beside it
     */
    void start(Path key) throws Exception {
        Path model = cluster.directory().resolve("node" + (ID - 1));
        Files.createDirectories(directory.resolve("tls"));
        Files.copy(cluster.directory().resolve("genesis.json"), directory.resolve("genesis.json"));
        Files.copy(key, directory.resolve("node.key"));
        Files.copy(NeverVotedMark.file(key), NeverVotedMark.file(directory.resolve("node.key")));
        try (Stream<Path> files = Files.list(model.resolve("tls"))) {
            for (Path file : files.toList()) {
                Files.copy(file, directory.resolve("tls").resolve(file.getFileName()));
            }
        }
        for (String settings : List.of("node.properties", "engine.properties")) {
            Files.writeString(directory.resolve(settings), ofThisNode(Files.readString(model.resolve(settings))));
        }
        node.start();
        engine.start();
        Facts.await(this::log, () -> log().contains(WAITING));
    }

    private String ofThisNode(String settings) {
        String text = settings.replace("node-id=" + (ID - 1), "node-id=" + ID);
        for (int offset = PORTS_PER_NODE - 1; offset >= 0; offset--) {
            int port = last.getVotePort() + offset;
            text = text.replace("=" + port + "\n", "=" + after(port) + "\n");
        }
        return text;
    }

    /** Returns whether the node serves in an epoch that names it. */
    boolean takesPart() {
        return log().contains("node " + ID + " ready: ");
    }

    /** Returns whether the node has ended because the chain names it no more. */
    boolean hasLeft() {
        return !node.isRunning() && log().contains(REMOVED);
    }

    String log() {
        try {
            return Files.exists(node.logFile()) ? Files.readString(node.logFile()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            node.requestStop();
            engine.requestStop();
            node.awaitStop(STOP_TIMEOUT_MS);
            engine.awaitStop(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
