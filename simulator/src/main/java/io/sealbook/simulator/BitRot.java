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
 * Disks that change old blocks, of nodes that run and of nodes that are down. Of each block at most one copy is
 * changed, and another correct node has archived it: what all disks lose at once no node can restore, and a node that
 * alone has archived a block waits for the others as they wait for its vote. Blocks that name members are left alone,
 * because a start that needs one finds no peers, and the last ones, whose damage is taken for the tail of a killed
 * write. Its random numbers are its own, so that it changes nothing in runs without it.
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
        Path archive = node.disk.directory("archive");
        if (!node.isCorrect()) {
            return;
        }
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            long old = reader.lastSequence() - NEWEST - reader.firstSequence() + 1;
            if (old <= 0) {
                return;
            }
            long sequence = reader.firstSequence() + random.nextLong(old);
            int replicaCount = simulation.scenario().replicaCount();
            if (sequence % replicaCount == node.id % replicaCount
                    && hasCopy(node, sequence)
                    && !Block.wrap(reader.read(sequence).orElseThrow()).hasAdministration()) {
                change(node, archive, reader, sequence);
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

    private void change(SimulatedNode node, Path archive, ArchiveReader reader, long sequence) {
        BlockFacts facts = reader.facts(sequence).orElseThrow();
        long first = sequence - (sequence - 1) % reader.blocksPerSegment();
        Path file = archive.resolve(String.format("segment-%019d.blocks", first));
        int at = random.nextInt(facts.length());
        int length = random.nextBoolean() ? 1 : Math.min(SECTOR_LENGTH, facts.length() - at);
        node.disk.rot(file.toString(), facts.offset() + at, length, random);
        changedCount++;
        simulation.trace(node, "has a disk that changes block " + sequence);
    }

    long changedCount() {
        return changedCount;
    }
}
