package io.sealbook.consensus;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.consensus.follow.ChainFollower;
import io.sealbook.protocol.v1.FollowerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A follower of a test cluster in this process, with a test engine beside it. */
final class TestFollower implements AutoCloseable {
    private final NodeDirectory directory;
    final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    private ChainFollower follower;
    private TestEngine engine;

    /**
     * Starts it.
     *
     * @param root a directory, which may hold what an earlier one left
     * @param cluster whose genesis file it gets
     * @param settings lines of follower.properties
     */
    TestFollower(Path root, TestCluster cluster, String... settings) throws IOException {
        directory = new NodeDirectory(root);
        Files.createDirectories(root);
        Files.write(
                directory.genesisFile(),
                Files.readAllBytes(cluster.nodeDirectory(0).genesisFile()));
        List<String> lines = new ArrayList<>(List.of(settings));
        lines.add("gateway-port=0");
        Files.write(directory.followerPropertiesFile(), lines);
        Files.writeString(directory.engineKeyFile(), "5a".repeat(32));
        start();
    }

    void start() throws IOException {
        follower = ChainFollower.open(directory, failures::add);
        follower.start();
        engine = new TestEngine(directory);
    }

    FollowerStatus status() {
        return follower.status();
    }

    int gatewayPort() {
        return follower.gatewayPort();
    }

    int adminPort() {
        return follower.adminPort();
    }

    long lastExecuted() {
        return engine.lastExecuted();
    }

    TestEngine engine() {
        return engine;
    }

    NodeDirectory directory() {
        return directory;
    }

    /** Returns the stored bytes of a block; the follower may run. */
    byte[] block(long sequence) throws IOException {
        try (ArchiveReader archive = ArchiveReader.open(directory.archive())) {
            return archive.read(sequence).orElseThrow();
        }
    }

    void stop() throws InterruptedException {
        follower.close();
        engine.close();
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
