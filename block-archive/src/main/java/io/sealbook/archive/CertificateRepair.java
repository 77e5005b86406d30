package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Writes a damaged log of certificates anew: its whole records, and those of another node's archive in the places of
 * the others. The other archive is not believed: of its certificates those are taken that a quorum signed. The whole
 * records are not judged, because the other archive may end before the epochs of the newest ones. The old log is kept
 * in {@code damaged/}, if there is room for it. Needs the archive for itself.
 */
public final class CertificateRepair {
    private CertificateRepair() {}

    /**
     * What was done.
     *
     * @param kept certificates that were whole
     * @param taken certificates of the other archive
     */
    public record Result(int kept, int taken) {}

    /**
     * Repairs the certificates of an archive, if they are damaged. None after the last whole one is taken.
     *
     * @param directory of the archive; its node is stopped
     * @param source the archive of another node of the same chain, or a copy of it; stays the caller's
     * @param isCertified whether a quorum of the members signed a certificate of the source
     * @return empty if nothing is damaged, or there are no certificates
     * @throws ArchiveException if the archive is open elsewhere or the disk fails; the log is as it was then
     * @throws ArchiveFormatException if the source, or the log, is of another chain
     */
    public static Optional<Result> run(
            Path directory, BlockSource source, Predicate<CheckpointCertificate> isCertified) {
        try (ArchiveLock lock = ArchiveLock.take(directory)) {
            Digest genesisDigest = ArchiveLoading.firstHead(directory).genesisDigest();
            if (!genesisDigest.equals(source.genesisDigest())) {
                throw new ArchiveFormatException("the other archive belongs to another genesis file");
            }
            return isWhole(directory, genesisDigest)
                    ? Optional.empty()
                    : Optional.of(repair(directory, genesisDigest, source, isCertified));
        } catch (IOException e) {
            throw PositionalIo.failure("cannot repair the certificates in " + directory, e);
        }
    }

    private static boolean isWhole(Path directory, Digest genesisDigest) throws IOException {
        try {
            CertificateLog.openReadOnly(directory, genesisDigest).ifPresent(CertificateLog::close);
            return true;
        } catch (ArchiveFormatException e) {
            return false;
        }
    }

    private static Result repair(
            Path directory, Digest genesisDigest, BlockSource source, Predicate<CheckpointCertificate> isCertified)
            throws IOException {
        TreeMap<Long, CheckpointCertificate> certificates = new TreeMap<>();
        CertificateLog.wholeRecords(directory, genesisDigest)
                .forEach(certificate -> certificates.putIfAbsent(certificate.sequence(), certificate));
        int kept = certificates.size();
        long last = certificates.isEmpty() ? 0 : certificates.lastKey();
        Optional<CheckpointCertificate> next = source.certificateAtOrAfter(1);
        while (next.isPresent() && next.get().sequence() <= last) {
            if (!certificates.containsKey(next.get().sequence()) && isCertified.test(next.get())) {
                certificates.put(next.get().sequence(), next.get());
            }
            next = source.certificateAtOrAfter(next.get().sequence() + 1);
        }
        CertificateLog.keepDamaged(directory);
        CertificateLog.write(directory, genesisDigest, certificates.values());
        return new Result(kept, certificates.size() - kept);
    }
}
