package io.sealbook.chaos.fault;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockFacts;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.ManagedProcess;
import io.sealbook.protocol.v1.NodeStatus;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A disk that changes a bit of an old block while its node is down. The node must notice it when it starts: it refuses,
 * or it runs, names the block and does not serve it. The documented command must repair the block from another node's
 * archive ({@code docs/OPERATING.md}, "When something is wrong"). Healing starts the member.
 */
final class FlippedBlock implements InjectedFault {
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final long POLL_MS = 50;
    /** The newest blocks may be torn, or may be absent elsewhere. */
    private static final int NEWEST = 20;

    private final LocalCluster cluster;
    private final int nodeId;
    private final List<ManagedProcess> member;
    private final Path repairTool;
    private final Random random;
    private final Findings findings;

    /**
     * @param cluster of the node
     * @param nodeId of the node
     * @param member its processes, the node first
     * @param repairTool jar of block-archive
     * @param random draws the block
     * @param findings takes damage that is not noticed or not repaired
     */
    FlippedBlock(
            LocalCluster cluster,
            int nodeId,
            List<ManagedProcess> member,
            Path repairTool,
            Random random,
            Findings findings) {
        this.cluster = cluster;
        this.nodeId = nodeId;
        this.member = member;
        this.repairTool = repairTool;
        this.random = random;
        this.findings = findings;
    }

    @Override
    public String target() {
        return "a block of node " + nodeId;
    }

    @Override
    public void inject() throws IOException, InterruptedException {
        for (ManagedProcess process : member) {
            process.kill();
        }
        Path archive = archive(nodeId);
        if (!ArchiveReader.hasBlocks(archive)) {
            return;
        }
        long block = flip(archive);
        if (block == 0) {
            return;
        }
        Path log = archive.resolveSibling("node.log");
        long logged = Files.size(log);
        startUntilJudged();
        String said = Files.readString(log).substring((int) logged);
        if (!said.contains("block " + block + ": block damaged")
                && !said.contains("blocks [" + block + "] are damaged")) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    "node " + nodeId + " did not notice that block " + block + " is damaged:\n" + said);
        }
        member.get(0).kill();
        repair(archive, block);
    }

    /** Returns the block in which a bit was changed, 0 if there is none that is old enough. */
    private long flip(Path archive) throws IOException {
        BlockFacts facts;
        long block;
        int segment;
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            long candidates = reader.lastSequence() - reader.firstSequence() + 1 - NEWEST;
            if (candidates <= 0) {
                return 0;
            }
            block = reader.firstSequence() + random.nextLong(candidates);
            facts = reader.facts(block).orElseThrow();
            segment = (int) ((block - reader.firstSequence()) / reader.blocksPerSegment());
        }
        Path file;
        try (Stream<Path> files = Files.list(archive)) {
            file = files.filter(each -> each.toString().endsWith(".blocks"))
                    .sorted(Comparator.naturalOrder())
                    .toList()
                    .get(segment);
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            long offset = facts.offset() + random.nextInt(facts.length());
            bytes.seek(offset);
            int value = bytes.read();
            bytes.seek(offset);
            bytes.write(value ^ 1 << random.nextInt(Byte.SIZE));
        }
        return block;
    }

    /** Starts the node and waits until it takes orders or has ended. */
    private void startUntilJudged() throws IOException, InterruptedException {
        ManagedProcess node = member.get(0);
        node.start();
        long deadlineNs = System.nanoTime() + START_LIMIT.toNanos();
        while (node.isRunning() && System.nanoTime() < deadlineNs) {
            if (cluster.nodeStatus(nodeId)
                    .map(NodeStatus::getState)
                    .filter("NORMAL"::equals)
                    .isPresent()) {
                return;
            }
            Thread.sleep(POLL_MS);
        }
    }

    private void repair(Path archive, long block) throws IOException, InterruptedException {
        Path log = archive.resolveSibling("repair.log");
        int exitCode = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        repairTool.toString(),
                        "repair",
                        archive.toString(),
                        "--from",
                        archive((nodeId + 1) % cluster.size()).toString(),
                        "--genesis",
                        cluster.directory().resolve("genesis.json").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        String said = Files.readString(log);
        if (exitCode != 0 || !said.contains("repaired block " + block)) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    "block " + block + " of node " + nodeId + " was not repaired, exit code " + exitCode + ":\n"
                            + said);
        }
    }

    private Path archive(int node) {
        return cluster.directory().resolve("node" + node).resolve("archive");
    }

    @Override
    public void heal() throws IOException {
        for (ManagedProcess process : member) {
            process.start();
        }
    }
}
