package io.sealbook.chaos.fault;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockFacts;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.perf.cluster.LocalCluster;
import io.sealbook.perf.cluster.ManagedProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A disk that changes a bit of an old block, or of a certificate, while its node is down. The node must repair it by
 * itself when it runs again: from its peers, by hash ({@code docs/OPERATING.md}, "When something is wrong"). Now and
 * then the documented command repairs it from another node's archive instead, before the node starts. Healing starts
 * the member.
 */
final class FlippedBit implements InjectedFault {
    private static final Duration REPAIR_LIMIT = Duration.ofMinutes(5);
    private static final long POLL_MS = 50;
    /** The newest blocks may be torn, or may be absent elsewhere. */
    private static final int NEWEST = 20;
    /** Bytes before the first certificate in their log. */
    private static final int CERTIFICATES_HEAD = 48;

    /**
     * What was changed.
     *
     * @param what for messages
     * @param block 0 if it is a certificate
     * @param repairedByNode what the node's log must say
     * @param repairedByTool what the tool must say
     */
    private record Damage(String what, long block, String repairedByNode, String repairedByTool) {}

    private final LocalCluster cluster;
    private final int nodeId;
    private final List<ManagedProcess> member;
    private final Path repairTool;
    private final Random random;
    private final Findings findings;
    private boolean isFlipped;

    /**
     * @param cluster of the node
     * @param nodeId of the node
     * @param member its processes, the node first
     * @param repairTool jar of block-archive
     * @param random draws the block
     * @param findings takes damage that is not noticed or not repaired
     */
    FlippedBit(
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
        return "a bit in the archive of node " + nodeId;
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
        Optional<Damage> damage = random.nextInt(3) == 0 ? flipCertificate(archive) : flipBlock(archive);
        if (damage.isEmpty()) {
            return;
        }
        isFlipped = true;
        if (random.nextInt(4) == 0) {
            repairByCommand(archive, damage.get());
        } else {
            awaitRepair(damage.get());
        }
        checkArchive(archive, damage.get());
    }

    /** Starts the node, waits until it has repaired its archive, and kills it again. */
    private void awaitRepair(Damage damage) throws IOException, InterruptedException {
        ManagedProcess node = member.get(0);
        Path log = node.logFile();
        long logged = Files.size(log);
        node.start();
        long deadlineNs = System.nanoTime() + REPAIR_LIMIT.toNanos();
        String said = "";
        while (!said.contains(damage.repairedByNode) && node.isRunning() && System.nanoTime() < deadlineNs) {
            Thread.sleep(POLL_MS);
            said = Files.readString(log).substring((int) logged);
        }
        if (!said.contains(damage.repairedByNode)) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    "node " + nodeId + " did not repair " + damage.what + " by itself:\n" + said);
        }
        node.kill();
    }

    /** An auditor must find whole what was damaged. */
    private void checkArchive(Path archive, Damage damage) {
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            if (damage.block > 0) {
                reader.read(damage.block);
            }
        } catch (ArchiveException e) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    damage.what + " of node " + nodeId + " is not whole after its repair: " + e.getMessage());
        }
    }

    /** Changes a bit of an old block; of none if no block is old enough. */
    private Optional<Damage> flipBlock(Path archive) throws IOException {
        BlockFacts facts;
        long block;
        int segment;
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            long candidates = reader.lastSequence() - reader.firstSequence() + 1 - NEWEST;
            if (candidates <= 0) {
                return Optional.empty();
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
        flip(file, facts.offset() + random.nextInt(facts.length()));
        return Optional.of(new Damage(
                "block " + block, block, "archive: repaired block " + block + ",", "repaired block " + block));
    }

    /** Changes a bit of a certificate of the older half; of none if there are too few. */
    private Optional<Damage> flipCertificate(Path archive) throws IOException {
        Path file = archive.resolve("certificates.log");
        long candidates = Files.exists(file) ? Files.size(file) / 2 - CERTIFICATES_HEAD : 0;
        if (candidates <= 0) {
            return Optional.empty();
        }
        flip(file, CERTIFICATES_HEAD + random.nextLong(candidates));
        return Optional.of(new Damage("a certificate", 0, "archive: repaired certificates", "repaired certificates"));
    }

    private void flip(Path file, long offset) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(offset);
            int value = bytes.read();
            bytes.seek(offset);
            bytes.write(value ^ 1 << random.nextInt(Byte.SIZE));
        }
    }

    private void repairByCommand(Path archive, Damage damage) throws IOException, InterruptedException {
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
        if (exitCode != 0 || !said.contains(damage.repairedByTool)) {
            findings.add(
                    Rule.DOCUMENTED_BEHAVIOUR,
                    damage.what + " of node " + nodeId + " was not repaired, exit code " + exitCode + ":\n" + said);
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

    @Override
    public boolean hasTakenEffect() {
        return isFlipped;
    }
}
