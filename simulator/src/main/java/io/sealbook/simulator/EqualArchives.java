package io.sealbook.simulator;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Whether the archives of nodes hold the same blocks, and whole certificates, as an auditor reads them from their
 * disks.
 */
final class EqualArchives {
    private EqualArchives() {}

    /**
     * Returns whether each block is whole in all archives, and the same, no file of certificates is damaged, and none
     * lacks certificates that it had.
     *
     * @param nodes whose archives are read
     * @param certificates judges those of each archive
     */
    static boolean areEqual(List<SimulatedNode> nodes, ArchivedCertificates certificates) {
        try (ArchiveReader first = open(nodes.getFirst())) {
            return nodes.stream().skip(1).allMatch(node -> isEqual(first, node))
                    && nodes.stream().allMatch(node -> areRestored(node, certificates));
        } catch (ArchiveException e) {
            return false;
        }
    }

    private static boolean isEqual(ArchiveReader first, SimulatedNode node) {
        try (ArchiveReader other = open(node)) {
            if (other.lastSequence() != first.lastSequence()) {
                return false;
            }
            for (long sequence = 1; sequence <= first.lastSequence(); sequence++) {
                Optional<byte[]> block = other.read(sequence);
                if (block.isEmpty()
                        || !Arrays.equals(block.get(), first.read(sequence).orElseThrow())) {
                    return false;
                }
            }
            return true;
        }
    }

    private static boolean areRestored(SimulatedNode node, ArchivedCertificates certificates) {
        try (ArchiveReader archive = open(node)) {
            return certificates.areRestored(node, archive);
        }
    }

    private static ArchiveReader open(SimulatedNode node) {
        return ArchiveReader.open(node.disk.directory("archive"));
    }
}
