package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Completes the certificates of an archive from another node's. Of a damaged log the whole records stay, and those of
 * the other archive take the places of the others; a log that has lost its end, or that is lost, gets them up to the
 * last block. The other archive is not believed: of its certificates those are taken that name the hash of the block
 * here, if that is known, and that a quorum signed. The whole records are not judged, because the other archive may end
 * before the epochs of the newest ones. A damaged log is kept in {@code damaged/}. Needs the archive for itself.
 */
public final class CertificateRepair {
    private final Path directory;
    private final SegmentHead head;
    private final BlockSource source;
    private final Predicate<CheckpointCertificate> isCertified;

    /**
     * What was done.
     *
     * @param kept certificates that were whole
     * @param taken certificates of the other archive
     */
    public record Result(int kept, int taken) {}

    private CertificateRepair(
            Path directory, SegmentHead head, BlockSource source, Predicate<CheckpointCertificate> isCertified) {
        this.directory = directory;
        this.head = head;
        this.source = source;
        this.isCertified = isCertified;
    }

    /**
     * Repairs the certificates of an archive, if they are damaged, or if the source has some that are missing after the
     * last one. None of a block after the last one of the archive is taken.
     *
     * @param directory of the archive; its node is stopped
     * @param source the archive of another node of the same chain, or a copy of it; stays the caller's
     * @param isCertified whether a quorum of the members signed a certificate of the source
     * @return empty if nothing is damaged, and the source has none that is missing
     * @throws ArchiveException if the archive is open elsewhere, the disk fails, or a damaged log cannot be kept; the
     *     log is as it was then
     * @throws ArchiveFormatException if the source, or the log, is of another chain, or a segment is missing
     */
    public static Optional<Result> run(
            Path directory, BlockSource source, Predicate<CheckpointCertificate> isCertified) {
        try (ArchiveLock lock = ArchiveLock.take(directory)) {
            SegmentHead head = ArchiveLoading.firstHead(directory);
            if (!head.genesisDigest().equals(source.genesisDigest())) {
                throw new ArchiveFormatException("the other archive belongs to another genesis file");
            }
            return new CertificateRepair(directory, head, source, isCertified).run();
        } catch (IOException e) {
            throw PositionalIo.failure("cannot repair the certificates in " + directory, e);
        }
    }

    private Optional<Result> run() throws IOException {
        Digest genesisDigest = head.genesisDigest();
        Path log = directory.resolve(CertificateLog.FILE_NAME);
        boolean isHere = Files.exists(log);
        boolean isDamaged = isHere && isDamaged();
        TreeMap<Long, CheckpointCertificate> certificates = new TreeMap<>();
        if (isHere) {
            CertificateLog.wholeRecords(directory, genesisDigest)
                    .forEach(certificate -> certificates.putIfAbsent(certificate.sequence(), certificate));
        }
        int kept = certificates.size();
        complete(certificates, isDamaged || certificates.isEmpty() ? 1 : certificates.lastKey() + 1);
        if (!isDamaged && certificates.size() == kept) {
            return Optional.empty();
        }
        if (isDamaged) {
            CertificateLog.replace(directory, genesisDigest, certificates.values(), new Quarantine(directory));
        } else {
            CertificateLog.write(directory, genesisDigest, certificates.values());
        }
        return Optional.of(new Result(kept, certificates.size() - kept));
    }

    /** What a killed process leaves at the end of a log is no damage. */
    private boolean isDamaged() throws IOException {
        try (CertificateLog log =
                CertificateLog.openReadOnly(directory, head.genesisDigest()).orElseThrow()) {
            return log.tail()
                    .filter(finding -> finding.kind() == ArchiveFinding.Kind.DAMAGED_CERTIFICATE)
                    .isPresent();
        } catch (ArchiveFormatException e) {
            return true;
        }
    }

    private void complete(TreeMap<Long, CheckpointCertificate> certificates, long from) throws IOException {
        // A segment before the last one was full, as for the repair of blocks.
        ArchiveLoading.State state =
                ArchiveLoading.load(directory, head.genesisDigest(), head.blocksPerSegment(), Durability.DISK);
        try (SegmentFiles files = new SegmentFiles(directory, head.blocksPerSegment())) {
            Optional<CheckpointCertificate> next = source.certificateAtOrAfter(from);
            while (next.isPresent() && next.get().sequence() <= state.lastSequence()) {
                CheckpointCertificate certificate = next.get();
                if (!certificates.containsKey(certificate.sequence())
                        && !isOfAnotherBlock(certificate, state, files)
                        && isCertified.test(certificate)) {
                    certificates.put(certificate.sequence(), certificate);
                }
                next = source.certificateAtOrAfter(certificate.sequence() + 1);
            }
        }
    }

    /** A damaged block has the hash that the next one names; where that is damaged too, the signatures decide. */
    private boolean isOfAnotherBlock(
            CheckpointCertificate certificate, ArchiveLoading.State state, SegmentFiles files) {
        long sequence = certificate.sequence();
        return whole(sequence, state, files)
                .map(Block::hash)
                .or(() -> whole(sequence + 1, state, files)
                        .map(next -> next.header().previousHash()))
                .filter(hash -> !hash.equals(certificate.chainHash()))
                .isPresent();
    }

    private Optional<Block> whole(long sequence, ArchiveLoading.State state, SegmentFiles files) {
        if (sequence < head.firstSequence() || sequence > state.lastSequence()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Block.wrap(files.block(sequence, state.entry(sequence, files))));
        } catch (BlockDamagedException | MalformedBlockException e) {
            return Optional.empty();
        }
    }
}
