package io.sealbook.consensus.inspect;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveFinding;
import io.sealbook.archive.ArchiveInspection;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.consensus.config.NodeConfig;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.Optional;
import java.util.function.Consumer;

/** The archive: every block and certificate is read, and shown to what is compared with it. */
final class ArchivePart implements AutoCloseable {
    private final Optional<ArchiveReader> archive;
    private final GenesisFile genesis;
    private final Report report;
    private long wholeCount;
    private long certificateCount;

    private ArchivePart(Optional<ArchiveReader> archive, GenesisFile genesis, Report report) {
        this.archive = archive;
        this.genesis = genesis;
        this.report = report;
    }

    /**
     * Opens the archive of a node, if it has one that can be opened; reports it if not.
     *
     * @param files of the node
     * @param genesis of the node's directory
     * @param config of the node
     * @param report gets every fact and finding
     */
    static ArchivePart open(NodeDirectory files, GenesisFile genesis, NodeConfig config, Report report) {
        Optional<ArchiveReader> archive = Optional.empty();
        if (!ArchiveReader.hasBlocks(files.archive())) {
            report.fact("archive", "none yet");
        } else {
            try {
                archive = Optional.of(ArchiveReader.open(
                        files.archive(),
                        new ArchiveConfig(
                                genesis.digest(),
                                genesis.genesis().getParameters().getBlocksPerSegment(),
                                config.durability())));
            } catch (ArchiveException e) {
                report.damaged("archive cannot be opened: " + e.getMessage());
            }
        }
        return new ArchivePart(archive, genesis, report);
    }

    /** Returns the open archive; empty if there is none. */
    Optional<ArchiveReader> reader() {
        return archive;
    }

    /**
     * Reads all blocks and certificates.
     *
     * @param verifier checks the newest certificate
     * @param queue compared with each whole block
     */
    void inspect(SignatureVerifier verifier, QueuePart queue) {
        queue.begin();
        archive.ifPresent(reader -> {
            ArchiveInspection.run(reader, new Observer(queue::onBlock));
            report.fact("archive blocks", reader.firstSequence() + ".." + reader.lastSequence());
            report.fact("archive whole blocks", wholeCount);
            report.fact("archive certificates", certificateCount);
            reader.latestCertificate()
                    .ifPresentOrElse(
                            newest -> inspect(newest, verifier), () -> report.fact("archive certificate", "none"));
        });
        queue.end();
    }

    private void inspect(CheckpointCertificate newest, SignatureVerifier verifier) {
        report.fact(
                "archive certificate",
                "block " + newest.sequence() + ", " + newest.signatures().size() + " signatures, result digest "
                        + newest.resultDigest().hex());
        try {
            Membership nodes = new MembershipHistory(archive.orElseThrow(), genesis.genesis())
                    .asOf(newest.sequence())
                    .membership();
            if (!new CertificateVerifier(verifier).isCertified(newest, nodes)) {
                report.damaged("certificate " + newest.sequence() + " does not bear the signatures of a quorum");
            }
        } catch (ChainViolationException e) {
            report.damaged(e.getMessage());
        } catch (OperatingFailureException | IllegalArgumentException e) {
            report.fact("archive certificate not checked", e.getMessage());
        }
    }

    @Override
    public void close() {
        archive.ifPresent(ArchiveReader::close);
    }

    private final class Observer implements ArchiveInspection.Observer {
        private final Consumer<Block> blocks;

        private Observer(Consumer<Block> blocks) {
            this.blocks = blocks;
        }

        @Override
        public void onFinding(ArchiveFinding finding) {
            String fact = "archive: " + finding.kind() + ": " + finding.fact();
            if (finding.kind().cause() == ArchiveFinding.Cause.KILLED_PROCESS) {
                report.unfinished(fact);
            } else {
                report.damaged(fact);
            }
        }

        @Override
        public void onBlock(Block block) {
            wholeCount++;
            blocks.accept(block);
        }

        @Override
        public void onCertificate(CheckpointCertificate certificate) {
            certificateCount++;
        }
    }
}
