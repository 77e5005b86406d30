package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of a stopped node's archive, read only: nothing is locked, repaired or created. It shows what was there
 * when it was opened. A torn tail and the files after it are not shown as blocks, and are named by {@link #findings}.
 * Any thread.
 *
 * <p>Of a running node it shows the blocks up to the moment of opening; a block that was just being written is a torn
 * tail then.
 *
 * <p>A segment that is not full, not closed, and has others after it reads differently by the node's durability, which
 * its files do not say: with {@link Durability#PROCESS} a loss of power took its end, and the node deletes what is
 * after it; with {@link Durability#DISK} it is damaged, and what is after it is whole.
 */
public final class ArchiveReader implements BlockSource, AutoCloseable {
    private static final ArchiveLoading.State NOTHING_KNOWN = new ArchiveLoading.State(List.of(), 0, null, List.of());

    private final Path directory;
    private final ArchiveConfig config;
    private final SegmentFiles files;
    private final Optional<CertificateLog> certificates;
    private final SegmentHead firstHead;
    private final ArchiveLoading.State state;
    private final List<ArchiveFinding> findings;
    private final long lostBytes;

    private ArchiveReader(
            Path directory,
            ArchiveConfig config,
            SegmentFiles files,
            Optional<CertificateLog> certificates,
            SegmentHead firstHead,
            ArchiveLoading.State state,
            List<ArchiveFinding> findings,
            long lostBytes) {
        this.directory = directory;
        this.config = config;
        this.files = files;
        this.certificates = certificates;
        this.firstHead = firstHead;
        this.state = state;
        this.findings = findings;
        this.lostBytes = lostBytes;
    }

    /**
     * Opens an archive by what its own first segment says about it, when the node's durability is not known: files
     * after a segment that has lost its end are not read, and named by {@link #lostFiles}.
     *
     * @throws ArchiveFormatException if there is none, or its files do not belong together
     */
    public static ArchiveReader open(Path directory) {
        return open(directory, Durability.PROCESS);
    }

    /**
     * Opens an archive as a node with this durability does.
     *
     * @param directory of the archive; {@link #hasBlocks} says whether there is one
     * @param durability of the node
     * @throws ArchiveFormatException if there is none, or its files do not belong together
     */
    public static ArchiveReader open(Path directory, Durability durability) {
        try {
            SegmentHead head = ArchiveLoading.firstHead(directory);
            return open(directory, new ArchiveConfig(head.genesisDigest(), head.blocksPerSegment(), durability));
        } catch (IOException e) {
            throw new ArchiveException("cannot read the archive in " + directory, e);
        }
    }

    /**
     * Opens an archive as {@link BlockArchive#open} does, and leaves it as it is.
     *
     * @param directory of the archive; {@link #hasBlocks} says whether there is one
     * @param config of the node: another genesis digest or segment size than that of the files is refused
     * @throws ArchiveFormatException if there is none, or its files are not of this configuration or do not belong
     *     together
     */
    public static ArchiveReader open(Path directory, ArchiveConfig config) {
        return open(directory, config, NOTHING_KNOWN, Optional.empty());
    }

    /**
     * Opens the archive again, which may have grown, and reads only what was appended since this reader was opened. The
     * costs are those of the new blocks and one short read per segment. This reader may be closed or used further.
     *
     * @throws ArchiveFormatException if the files do not belong together any more
     */
    public ArchiveReader later() {
        return open(directory, config, state, certificates);
    }

    private static ArchiveReader open(
            Path directory,
            ArchiveConfig config,
            ArchiveLoading.State earlier,
            Optional<CertificateLog> earlierCertificates) {
        Optional<CertificateLog> certificates = Optional.empty();
        ArchiveReader reader = null;
        try {
            SegmentHead head = ArchiveLoading.firstHead(directory);
            Optional<CertificateLog> before =
                    CertificateLog.openReadOnly(directory, config.genesisDigest(), earlierCertificates);
            before.ifPresent(CertificateLog::close);
            ArchiveLoading.State state = ArchiveLoading.loadAfter(directory, config, earlier);
            certificates = certificatesOf(directory, config, state.lastSequence(), before);
            List<ArchiveFinding> findings = new ArrayList<>(FileFindings.of(directory, state));
            if (certificates.isPresent()) {
                certificates.get().tail().ifPresent(findings::add);
            }
            reader = new ArchiveReader(
                    directory,
                    config,
                    new SegmentFiles(directory, config.blocksPerSegment()),
                    certificates,
                    head,
                    state,
                    List.copyOf(findings),
                    bytes(state.lost()));
            return reader;
        } catch (IOException e) {
            throw new ArchiveException("cannot read the archive in " + directory, e);
        } finally {
            if (reader == null) {
                certificates.ifPresent(CertificateLog::close);
            }
        }
    }

    /**
     * Returns the certificates of the blocks that were found. A running node writes a block and then its certificate:
     * of the log as it was before the blocks were read each certificate must have its block, and what came meanwhile
     * may be of later blocks.
     */
    private static Optional<CertificateLog> certificatesOf(
            Path directory, ArchiveConfig config, long lastSequence, Optional<CertificateLog> before)
            throws IOException {
        Optional<CertificateLog> now = CertificateLog.openReadOnly(directory, config.genesisDigest(), before);
        long lastBefore = before.map(CertificateLog::lastSequence).orElse(0L);
        now.ifPresent(log -> log.hideAfter(Math.max(lastSequence, lastBefore)));
        return now;
    }

    /**
     * Returns whether a directory holds a segment file; that of a node that has not delivered a block yet holds none.
     */
    public static boolean hasBlocks(Path directory) {
        try {
            return Files.isDirectory(directory) && !SegmentFiles.list(directory).isEmpty();
        } catch (IOException e) {
            throw new ArchiveException("cannot read the archive in " + directory, e);
        }
    }

    private static long bytes(List<Path> files) throws IOException {
        long bytes = 0;
        for (Path file : files) {
            bytes += Files.size(file);
        }
        return bytes;
    }

    /**
     * Returns what the files show about a crash or damage: unfinished files, torn and damaged tails, blocks and files
     * that are missing. The blocks of closed segments have not been read; {@link ArchiveInspection} reads them.
     */
    public List<ArchiveFinding> findings() {
        return findings;
    }

    public int blocksPerSegment() {
        return firstHead.blocksPerSegment();
    }

    public int segmentCount() {
        return state.segments().size();
    }

    /** Returns the files that are not marked closed. */
    public List<Path> openSegmentFiles() {
        return state.segments().stream()
                .filter(segment -> !segment.isClosed())
                .map(ArchiveLoading.Segment::file)
                .toList();
    }

    /**
     * Returns the segment files after one that has lost its end, ascending. None of their blocks is shown here; a node
     * that does not force its segments deletes them when it starts. None with {@link Durability#DISK}.
     */
    public List<Path> lostFiles() {
        return state.lost();
    }

    /**
     * Returns the bytes after the last whole block, in its segment and in {@link #lostFiles}: a node that does not
     * force its segments drops them when it starts.
     */
    public long tornBytes() {
        return lostBytes
                + state.segments().stream()
                        .filter(segment -> !segment.isClosed())
                        .mapToLong(segment -> segment.scan().tornBytes())
                        .sum();
    }

    /** Returns the bytes of blocks that opening has read: segments that are not closed have no index yet. */
    public long scannedBytes() {
        return state.segments().stream()
                .filter(segment -> !segment.isClosed())
                .mapToLong(segment -> segment.scan().scannedBytes())
                .sum();
    }

    public int certificateCount() {
        return certificates.map(CertificateLog::count).orElse(0);
    }

    @Override
    public Digest genesisDigest() {
        return firstHead.genesisDigest();
    }

    @Override
    public long firstSequence() {
        return firstHead.firstSequence();
    }

    @Override
    public long lastSequence() {
        return state.lastSequence();
    }

    @Override
    public Optional<byte[]> read(long sequence) {
        return isHere(sequence) ? Optional.of(files.block(sequence, entry(sequence))) : Optional.empty();
    }

    @Override
    public Optional<BlockFacts> facts(long sequence) {
        return isHere(sequence) ? Optional.of(entry(sequence).facts(sequence)) : Optional.empty();
    }

    /**
     * Checks the record header in front of a block, which only a scan reads.
     *
     * @param sequence of a block that is here
     * @throws BlockDamagedException if it is not the one that was written with the block
     */
    public void checkRecordHeader(long sequence) {
        files.checkRecordHeader(sequence, entry(sequence));
    }

    private boolean isHere(long sequence) {
        return sequence >= firstSequence() && sequence <= lastSequence();
    }

    private SegmentEntry entry(long sequence) {
        ArchiveLoading.Segment segment =
                state.segments().get((int) ((sequence - firstSequence()) / firstHead.blocksPerSegment()));
        return segment.isClosed()
                ? files.entry(sequence)
                : segment.scan().entries().get((int) (sequence - segment.head().firstSequence()));
    }

    @Override
    public Optional<CheckpointCertificate> latestCertificate() {
        return certificates.flatMap(CertificateLog::latest);
    }

    @Override
    public Optional<CheckpointCertificate> certificateAtOrAfter(long sequence) {
        return certificates.flatMap(log -> log.atOrAfter(sequence));
    }

    /** Returns the newest certificate of a block before a given one. */
    public Optional<CheckpointCertificate> certificateBefore(long sequence) {
        return certificates.flatMap(log -> log.before(sequence));
    }

    @Override
    public void close() {
        files.close();
        certificates.ifPresent(CertificateLog::close);
    }
}
