package io.sealbook.simulator;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockFacts;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Disks that change old blocks and certificates, or write another one in their place, of nodes that run and of nodes
 * that are down. Of each at most one copy is changed, and another correct node has archived it: what all disks lose at
 * once no node can restore, and a node that alone has archived a block waits for the others as they wait for its vote.
 * Blocks that name members and certificates that end epochs are left alone, because a start that needs one finds no
 * peers, and the last blocks and certificates, whose damage is taken for the tail of a killed write. Its random numbers
 * are its own, so that it changes nothing in runs without it.
 */
final class BitRot {
    private static final long MS = 1_000_000L;
    private static final long INTERVAL_MAX_NS = 700 * MS;
    private static final int NEWEST = 2;
    private static final int SECTOR_LENGTH = 512;

    private final Simulation simulation;
    private final List<SimulatedNode> nodes;
    private final SplittableRandom random;
    private long changedCount;
    private long changedCertificateCount;
    private long misdirectedCount;

    /**
     * @param simulation in which it happens
     * @param nodes all machines; the list changes after this call
     */
    BitRot(Simulation simulation, List<SimulatedNode> nodes) {
        this.simulation = simulation;
        this.nodes = nodes;
        random = new SplittableRandom(simulation.scenario().seed() ^ 0xb17707L);
    }

    /** Begins to change blocks, until the cluster heals. */
    void begin() {
        simulation.after(random.nextLong(INTERVAL_MAX_NS), () -> {
            if (!simulation.isHealed()) {
                strike(nodes.get(random.nextInt(nodes.size())));
                begin();
            }
        });
    }

    private void strike(SimulatedNode node) {
        if (!node.isCorrect()) {
            return;
        }
        strikeBlock(node);
        strikeCertificate(node);
    }

    private void strikeCertificate(SimulatedNode node) {
        List<CertificateRecord> records = CertificateRecord.of(node.disk);
        List<CertificateRecord> old = records.subList(0, Math.max(0, records.size() - NEWEST)).stream()
                .filter(record -> isOf(node, record.sequence()) && hasCertificateToo(node, record.sequence()))
                .filter(record -> !simulation.checker().endsEpoch(record.sequence()))
                .toList();
        if (old.isEmpty()) {
            return;
        }
        CertificateRecord record = old.get(random.nextInt(old.size()));
        CertificateRecord other = records.get(random.nextInt(records.size()));
        Path file = CertificateRecord.file(node.disk);
        if (other != record && other.length() == record.length() && random.nextBoolean()) {
            misdirect(node, file, other.offset(), record.offset(), record.length());
        } else {
            change(node, file, record.offset(), record.length());
        }
        changedCertificateCount++;
        simulation.trace(node, "has a disk that changes certificate " + record.sequence());
    }

    private boolean hasCertificateToo(SimulatedNode node, long sequence) {
        return nodes.stream()
                .filter(other -> other != node && other.isCorrect())
                .flatMap(other -> CertificateRecord.of(other.disk).stream())
                .anyMatch(record -> record.sequence() == sequence);
    }

    /** Returns whether a node is the one that may lose a block, or the certificate of it. */
    private boolean isOf(SimulatedNode node, long sequence) {
        int replicaCount = simulation.scenario().replicaCount();
        return sequence % replicaCount == node.id % replicaCount;
    }

    private void strikeBlock(SimulatedNode node) {
        Path archive = node.disk.directory("archive");
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            long old = reader.lastSequence() - NEWEST - reader.firstSequence() + 1;
            if (old <= 0) {
                return;
            }
            long sequence = reader.firstSequence() + random.nextLong(old);
            if (isOf(node, sequence)
                    && hasCopy(node, sequence)
                    && !Block.wrap(reader.read(sequence).orElseThrow()).hasAdministration()) {
                changeBlock(node, archive, reader, sequence);
            }
        } catch (ArchiveException | BrokenInvariantException e) {
            // Damaged already, or without a segment yet.
        }
    }

    private boolean hasCopy(SimulatedNode node, long sequence) {
        return nodes.stream().anyMatch(other -> other != node && other.isCorrect() && lastArchived(other) >= sequence);
    }

    private static long lastArchived(SimulatedNode node) {
        try (ArchiveReader reader = ArchiveReader.open(node.disk.directory("archive"))) {
            return reader.lastSequence();
        } catch (ArchiveException e) {
            // Without a segment yet.
            return 0;
        }
    }

    private void changeBlock(SimulatedNode node, Path archive, ArchiveReader reader, long sequence) {
        BlockFacts facts = reader.facts(sequence).orElseThrow();
        long first = sequence - (sequence - 1) % reader.blocksPerSegment();
        Path file = archive.resolve(String.format("segment-%019d.blocks", first));
        BlockFacts before =
                sequence == first ? facts : reader.facts(sequence - 1).orElse(facts);
        if (before != facts && random.nextInt(4) == 0) {
            misdirect(node, file, before.offset(), facts.offset(), Math.min(facts.length(), before.length()));
        } else {
            change(node, file, facts.offset(), facts.length());
        }
        changedCount++;
        simulation.trace(node, "has a disk that changes block " + sequence);
    }

    private void misdirect(SimulatedNode node, Path file, long from, long to, int length) {
        node.disk.misdirect(file.toString(), from, to, length);
        misdirectedCount++;
    }

    /** Changes a byte, or a sector's worth of them, somewhere in a part of a file. */
    private void change(SimulatedNode node, Path file, long offset, int length) {
        int at = random.nextInt(length);
        int count = random.nextBoolean() ? 1 : Math.min(SECTOR_LENGTH, length - at);
        node.disk.rot(file.toString(), offset + at, count, random);
    }

    long changedCount() {
        return changedCount;
    }

    /** Returns how many of the changed blocks and certificates became copies of another one. */
    long misdirectedCount() {
        return misdirectedCount;
    }

    long changedCertificateCount() {
        return changedCertificateCount;
    }
}
