package io.sealbook.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole archive, names everything that is not as it should be, and changes nothing.
 *
 * <pre>{@code
 * try (ArchiveReader archive = ArchiveReader.open(directory, config)) {
 *     for (ArchiveFinding finding : ArchiveInspection.of(archive)) {
 *         out.println(finding.kind() + " " + finding.fact());
 *     }
 * }
 * }</pre>
 *
 * <p>It checks the files, every checksum, the structure of the blocks, Merkle roots, the chain, and that certificates
 * name blocks of this chain. It reads no keys and no orders: signatures and batch ids are checked by
 * {@code block-archive.jar verify}. One thread.
 */
public final class ArchiveInspection {
    private final ArchiveReader archive;
    private final long first;
    private final Observer observer;
    private Optional<CheckpointCertificate> certificate;

    /** Receives what an inspection comes across, in the order of the chain. */
    public interface Observer {
        /** Something is not as it should be. */
        void onFinding(ArchiveFinding finding);

        /** A block is whole and follows the block before it, if that is whole too. */
        default void onBlock(Block block) {}

        /**
         * A certificate names the hash of the block that {@link #onBlock} has just received. Its signatures are not
         * checked.
         */
        default void onCertificate(CheckpointCertificate certificate) {}
    }

    private ArchiveInspection(ArchiveReader archive, long first, Observer observer) {
        this.archive = archive;
        this.first = first;
        this.observer = observer;
        this.certificate = archive.certificateAtOrAfter(1);
    }

    /**
     * Inspects an archive.
     *
     * @return all findings; empty if the archive is as a node leaves it that was stopped
     */
    public static List<ArchiveFinding> of(ArchiveReader archive) {
        List<ArchiveFinding> findings = new ArrayList<>();
        run(archive, findings::add);
        return List.copyOf(findings);
    }

    /**
     * Inspects an archive and shows every block and certificate to an observer.
     *
     * @param archive stays the caller's
     * @param observer called on this thread; an exception ends the inspection
     */
    public static void run(ArchiveReader archive, Observer observer) {
        run(archive, archive.firstSequence(), observer);
    }

    /**
     * Inspects an archive from one block on.
     *
     * @param archive stays the caller's
     * @param first block that is read
     * @param observer called on this thread; an exception ends the inspection
     */
    public static void run(ArchiveReader archive, long first, Observer observer) {
        archive.findings().forEach(observer::onFinding);
        new ArchiveInspection(archive, first, observer).run();
    }

    private void run() {
        Block previous = null;
        for (long sequence = first; sequence <= archive.lastSequence(); sequence++) {
            skipCertificatesBefore(sequence);
            previous = inspect(sequence, previous);
            inspectCertificate(sequence, previous == null ? null : previous.header());
        }
        skipCertificatesBefore(archive.lastSequence() + 1);
        for (; certificate.isPresent(); nextCertificate()) {
            found(
                    ArchiveFinding.Kind.CERTIFICATE_BEYOND_END,
                    "certificate " + certificate.get().sequence() + ": the archive ends with block "
                            + archive.lastSequence());
        }
    }

    /** Returns the block; null if it is damaged, so that the next block's link cannot be checked. */
    private Block inspect(long sequence, Block previous) {
        try {
            Block block = Block.wrap(archive.read(sequence).orElseThrow());
            boolean isWhole = isRecordHeaderWhole(sequence)
                    & isRight(sequence, block)
                    & isLinked(sequence, block.header(), previous);
            if (isWhole) {
                observer.onBlock(block);
            }
            return block;
        } catch (BlockDamagedException e) {
            found(ArchiveFinding.Kind.DAMAGED_BLOCK, e.getMessage());
        } catch (MalformedBlockException e) {
            found(ArchiveFinding.Kind.MALFORMED_BLOCK, "block " + sequence + ": " + e.getMessage());
        }
        return null;
    }

    private boolean isRecordHeaderWhole(long sequence) {
        try {
            archive.checkRecordHeader(sequence);
            return true;
        } catch (BlockDamagedException e) {
            found(ArchiveFinding.Kind.DAMAGED_BLOCK, e.getMessage());
            return false;
        }
    }

    private boolean isRight(long sequence, Block block) {
        if (block.header().sequence() != sequence) {
            found(
                    ArchiveFinding.Kind.MALFORMED_BLOCK,
                    "block " + sequence + ": holds sequence " + block.header().sequence());
            return false;
        }
        if (!block.hasMerkleRoot()) {
            found(
                    ArchiveFinding.Kind.MALFORMED_BLOCK,
                    "block " + sequence + ": batch ids do not lead to the Merkle root");
            return false;
        }
        return true;
    }

    private boolean isLinked(long sequence, BlockHeader header, Block previous) {
        if (sequence == 1 && !header.previousHash().equals(archive.genesisDigest())) {
            found(ArchiveFinding.Kind.BROKEN_CHAIN, "block 1: previous hash is not the genesis digest");
            return false;
        }
        if (previous == null) {
            return true;
        }
        if (!header.previousHash().equals(previous.hash())) {
            found(
                    ArchiveFinding.Kind.BROKEN_CHAIN,
                    "block " + sequence + ": previous hash "
                            + header.previousHash().hex() + ", expected "
                            + previous.hash().hex());
            return false;
        }
        long previousTimeNs = previous.header().blockTimeNs();
        if (header.blockTimeNs() < previousTimeNs) {
            found(
                    ArchiveFinding.Kind.BROKEN_CHAIN,
                    "block " + sequence + ": block time " + header.blockTimeNs() + " after " + previousTimeNs);
            return false;
        }
        if (header.administrationBlock() != previous.lastAdministrationBlock()) {
            found(
                    ArchiveFinding.Kind.BROKEN_CHAIN,
                    "block " + sequence + ": administration block " + header.administrationBlock() + ", expected "
                            + previous.lastAdministrationBlock());
            return false;
        }
        return true;
    }

    /** Compares the certificate of a block, if there is one, with the block; a damaged block is named already. */
    private void inspectCertificate(long sequence, BlockHeader header) {
        if (certificate.isEmpty() || certificate.get().sequence() != sequence) {
            return;
        }
        if (header != null && !header.hash().equals(certificate.get().chainHash())) {
            found(
                    ArchiveFinding.Kind.CERTIFICATE_MISMATCH,
                    "certificate " + sequence + ": chain hash "
                            + certificate.get().chainHash().hex() + ", the block's is "
                            + header.hash().hex());
        } else if (header != null) {
            observer.onCertificate(certificate.get());
        }
        nextCertificate();
    }

    private void skipCertificatesBefore(long sequence) {
        while (certificate.isPresent() && certificate.get().sequence() < sequence) {
            nextCertificate();
        }
    }

    private void nextCertificate() {
        certificate = archive.certificateAtOrAfter(certificate.get().sequence() + 1);
    }

    private void found(ArchiveFinding.Kind kind, String fact) {
        observer.onFinding(new ArchiveFinding(kind, fact));
    }
}
