package io.sealbook.simulator;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.simulator.disk.SimulatedDisk;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Whether the certificates of archives prove the blocks and results of the run, and are there as often as nodes have
 * reported that they repaired them. No node has those of all blocks: a transfer brings the newest alone, and a gap for
 * which f+1 peers have none is closed.
 */
final class ArchivedCertificates {
    private final Genesis genesis;
    private final Checker checker;
    private final Map<SimulatedDisk, List<Repaired>> repaired = new IdentityHashMap<>();

    private record Repaired(long after, long before, int count) {}

    /**
     * @param genesis of the chain, with its defaults
     * @param checker knows the results
     */
    ArchivedCertificates(Genesis genesis, Checker checker) {
        this.genesis = genesis;
        this.checker = checker;
    }

    /**
     * A node has closed a gap. What it has reported of a gap there before counts no more: the disk has damaged it
     * again.
     *
     * @param node whose archive it is
     * @param after last certificate before the gap
     * @param before first one after it
     * @param count of those in it
     */
    void onRepaired(SimulatedNode node, long after, long before, int count) {
        List<Repaired> ofDisk = repaired.computeIfAbsent(node.disk, disk -> new ArrayList<>());
        ofDisk.removeIf(earlier -> earlier.after < before && after < earlier.before);
        ofDisk.add(new Repaired(after, before, count));
    }

    /**
     * Returns whether a node has what it has repaired.
     *
     * @param node whose archive it is
     * @param archive of the node, with whole blocks
     * @throws SimulationFailure if a certificate does not prove what the cluster has done
     */
    boolean areRestored(SimulatedNode node, ArchiveReader archive) {
        ChainEpochs epochs = ChainEpochs.of(
                genesis, new MembershipHistory(archive, genesis).atEnd().entries());
        CertificateVerifier verifier = new CertificateVerifier(new ToySignatures());
        TreeSet<Long> held = new TreeSet<>();
        Optional<CheckpointCertificate> next = archive.certificateAtOrAfter(1);
        while (next.isPresent()) {
            CheckpointCertificate certificate = next.get();
            long sequence = certificate.sequence();
            boolean isTrue = verifier.isCertified(certificate, epochs.of(sequence))
                    && checker.isResult(sequence, certificate.resultDigest())
                    && Block.wrap(archive.read(sequence).orElseThrow()).hash().equals(certificate.chainHash());
            if (!isTrue) {
                throw new SimulationFailure("replica " + node.id + ": holds a certificate that proves nothing of this"
                        + " chain: " + certificate);
            }
            held.add(sequence);
            next = archive.certificateAtOrAfter(sequence + 1);
        }
        return repaired.getOrDefault(node.disk, List.of()).stream()
                .allMatch(
                        gap -> held.subSet(gap.after, false, gap.before, false).size() >= gap.count);
    }
}
