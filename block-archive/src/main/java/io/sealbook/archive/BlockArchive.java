package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/**
 * The archive of one node: the chain of blocks in segment files, and the certificates about it.
 *
 * <p>Blocks are appended by one thread, in sequence; each must follow the last one by number, by hash and by the
 * administration block that it names. They are read from any thread. A directory is open for writing in one place at a
 * time, which a lock file ensures.
 *
 * <pre>
 *   append: chain checked ─▶ record written after the last ─▶ visible to readers
 *           (sync: on the disk, if the durability requires it)
 *   append to a full segment: index written into its head ─▶ next segment, created before, taken ─▶ as above
 *                             (in the background: forced ─▶ marked closed, and the segment after the next created)
 *   open:   segment not marked closed ─▶ scanned ─▶ torn tail cut ─▶ appending goes on
 * </pre>
 */
public final class BlockArchive implements BlockSource, AutoCloseable {
    private final Path directory;
    private final ArchiveConfig config;
    private final OpenSegment.ChannelOpener opener;
    private final ArchiveLock lock;
    private final SegmentFiles files;
    private final CertificateLog certificates;
    private final SegmentAppender appender;
    private final long firstSequence;
    private final ArchiveRecovery recovery;
    private final Quarantine quarantine;
    private final ArchiveHealth health;
    private volatile Tail tail;

    /** The last block; {@code administrationBlock} is what the header of the next one names. */
    private record Tail(long sequence, Digest hash, long administrationBlock) {}

    private BlockArchive(
            Path directory,
            ArchiveConfig config,
            OpenSegment.ChannelOpener opener,
            SegmentAppender appender,
            ArchiveLock lock,
            CertificateLog certificates)
            throws IOException {
        this.directory = directory;
        this.config = config;
        this.opener = opener;
        this.lock = lock;
        this.certificates = certificates;
        this.appender = appender;
        files = new SegmentFiles(directory, config.blocksPerSegment());
        ArchiveResumption resumed = ArchiveResumption.run(directory, config, opener, files);
        firstSequence = resumed.firstSequence();
        recovery = resumed.recovery();
        tail = new Tail(resumed.lastSequence(), resumed.lastHash(), resumed.administrationBlock());
        resumed.open().ifPresent(appender::resume);
        quarantine = new Quarantine(directory);
        recovery.damagedBlocks().forEach(quarantine::add);
        health = new ArchiveHealth(this, opener, files, appender, certificates, quarantine);
    }

    /**
     * Opens the archive in a directory for writing, creates it if there is none, and repairs what a crash left.
     *
     * @param directory of the archive
     * @param config must be that of the existing archive
     * @throws ArchiveFormatException if a file is of another version, chain or segment size, or a segment is missing
     * @throws ChainViolationException if the blocks found form no chain
     * @throws ArchiveException if the archive is open elsewhere or the disk fails
     */
    public static BlockArchive open(Path directory, ArchiveConfig config) {
        ExecutorService thread = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().name("archive-segments").daemon().factory());
        return open(directory, config, thread, new SecureRandom()::nextLong);
    }

    /**
     * Opens the archive in a directory for writing; see {@link #open(Path, ArchiveConfig)}.
     *
     * @param directory of any file system
     * @param config what this archive is
     * @param background creates and closes segments, one task after another; closed with the archive
     * @param marks random numbers, which distinguish the records of a segment from bytes of brokers that imitate them
     */
    public static BlockArchive open(
            Path directory, ArchiveConfig config, ExecutorService background, LongSupplier marks) {
        return open(directory, config, OpenSegment.READ_WRITE, background, marks);
    }

    static BlockArchive open(
            Path directory, ArchiveConfig config, OpenSegment.ChannelOpener opener, ExecutorService workerThread) {
        return open(directory, config, opener, workerThread, new SecureRandom()::nextLong);
    }

    private static BlockArchive open(
            Path directory,
            ArchiveConfig config,
            OpenSegment.ChannelOpener opener,
            ExecutorService workerThread,
            LongSupplier marks) {
        ArchiveLock lock = null;
        CertificateLog certificates = null;
        BlockArchive archive = null;
        try {
            Files.createDirectories(directory);
            lock = ArchiveLock.take(directory);
            certificates = CertificateLog.open(directory, config.genesisDigest(), config.durability());
            SegmentAppender appender = new SegmentAppender(directory, config, opener, workerThread, marks);
            archive = new BlockArchive(directory, config, opener, appender, lock, certificates);
            return archive;
        } catch (IOException e) {
            throw PositionalIo.failure("cannot open the archive in " + directory, e);
        } finally {
            if (archive == null) {
                workerThread.close();
                release(certificates, lock);
            }
        }
    }

    private static void release(CertificateLog certificates, ArchiveLock lock) {
        if (certificates != null) {
            certificates.close();
        }
        if (lock != null) {
            lock.close();
        }
    }

    /** Returns what opening this archive had to mend. */
    public ArchiveRecovery recovery() {
        return recovery;
    }

    /** Returns what is damaged, and its repair. */
    public ArchiveHealth health() {
        return health;
    }

    Path directory() {
        return directory;
    }

    /**
     * Appends the next block; see {@link #append(Block)}.
     *
     * @param block not kept after the call
     * @return where the block lies now
     * @throws MalformedBlockException if the bytes are no block, or its batch ids do not lead to its Merkle root
     */
    public BlockLocation append(byte[] block) {
        return append(Block.wrap(block));
    }

    /**
     * Appends the next block. When it returns the block is with the operating system and readers see it; {@link #sync}
     * makes it durable.
     *
     * @return where the block lies now
     * @throws MalformedBlockException if its batch ids do not lead to its Merkle root
     * @throws ChainViolationException if it does not follow the last block
     * @throws ArchiveFullException if there is no room; the archive is as it was, and the append may be tried again
     * @throws ArchiveException if the disk fails; if not even the partial record could be cut off, or a full segment
     *     not be closed, every later append fails too
     */
    public BlockLocation append(Block next) {
        appender.check();
        checkFollows(next.header());
        long sequence = next.header().sequence();
        if (!next.hasMerkleRoot()) {
            throw new MalformedBlockException("batch ids of block " + sequence + " do not lead to its Merkle root");
        }
        Digest hash = next.hash();
        SegmentEntry entry = appender.append(sequence, next.bytes());
        tail = new Tail(sequence, hash, next.lastAdministrationBlock());
        return location(sequence, hash, entry);
    }

    private BlockLocation location(long sequence, Digest hash, SegmentEntry entry) {
        return new BlockLocation(sequence, hash, files.firstOf(sequence), entry.offset(), entry.length(), entry.crc());
    }

    private void checkFollows(BlockHeader header) {
        Tail last = tail;
        if (header.sequence() != last.sequence + 1) {
            throw new ChainViolationException("block " + header.sequence() + " after block " + last.sequence);
        }
        if (!header.previousHash().equals(last.hash)) {
            throw new ChainViolationException(String.format(
                    Locale.ROOT,
                    "block %d: previous hash %s, expected %s",
                    header.sequence(),
                    header.previousHash().hex(),
                    last.hash.hex()));
        }
        if (header.administrationBlock() != last.administrationBlock) {
            throw new ChainViolationException("block " + header.sequence() + ": administration block "
                    + header.administrationBlock() + ", expected " + last.administrationBlock);
        }
    }

    /**
     * Makes every block appended before the call durable, with {@link Durability#DISK}; one call serves a group of
     * blocks. With {@link Durability#PROCESS} there is nothing to do. Any thread.
     */
    public void sync() {
        appender.sync();
    }

    /**
     * Notes when the engine had executed a block: a local fact, kept in the index. Any thread.
     *
     * @param sequence of the block
     * @param executedTimeNs nanoseconds since 1970, above 0
     * @throws IllegalArgumentException if the archive does not hold the block
     */
    public void putExecutionTime(long sequence, long executedTimeNs) {
        if (sequence < firstSequence || sequence > tail.sequence || executedTimeNs <= 0) {
            throw new IllegalArgumentException(
                    "execution time " + executedTimeNs + " of block " + sequence + ", last is " + tail.sequence);
        }
        try {
            if (!appender.putExecutionTime(sequence, executedTimeNs)) {
                putInClosedSegment(sequence, files.entry(sequence).withExecutionTime(executedTimeNs));
            }
        } catch (IOException e) {
            throw PositionalIo.failure("cannot note the execution time of block " + sequence, e);
        }
    }

    private void putInClosedSegment(long sequence, SegmentEntry entry) throws IOException {
        Path file = SegmentFiles.path(directory, files.firstOf(sequence));
        try (FileChannel channel = opener.open(file)) {
            SegmentHead head = SegmentHead.decode(SegmentFiles.headBytes(channel, file), file);
            PositionalIo.write(channel, entry.encode(sequence), head.entryOffset(sequence));
        }
    }

    @Override
    public Digest genesisDigest() {
        return config.genesisDigest();
    }

    @Override
    public long firstSequence() {
        return firstSequence;
    }

    @Override
    public long lastSequence() {
        return tail.sequence;
    }

    /** Returns the hash of a block, if it is the last one. */
    Optional<Digest> hashOfLast(long sequence) {
        Tail last = tail;
        return last.sequence == sequence ? Optional.of(last.hash) : Optional.empty();
    }

    /** Returns the hash of the last block, or the genesis digest when there is none. */
    public Digest lastHash() {
        return tail.hash;
    }

    @Override
    public Optional<byte[]> read(long sequence) {
        return isHere(sequence) ? Optional.of(whole(sequence)) : Optional.empty();
    }

    /** Returns the bytes of a block; what is damaged goes into quarantine, and stays there until it is repaired. */
    private byte[] whole(long sequence) {
        try {
            return read(sequence, quarantine.contains(sequence));
        } catch (BlockDamagedException first) {
            try {
                // What only one read shows was written meanwhile, such as an execution time into the index.
                return read(sequence, quarantine.contains(sequence));
            } catch (BlockDamagedException e) {
                quarantine.add(sequence);
                throw e;
            }
        }
    }

    private byte[] read(long sequence, boolean isDamaged) {
        SegmentEntry entry = entry(sequence);
        return files.block(sequence, isDamaged ? entry.damaged() : entry);
    }

    @Override
    public Optional<BlockFacts> facts(long sequence) {
        return isHere(sequence) ? Optional.of(entry(sequence).facts(sequence)) : Optional.empty();
    }

    /**
     * Returns where a block lies, for another process to read it there; empty if it is not here. Reads the block's
     * header.
     *
     * @throws BlockDamagedException if it is known to be damaged
     */
    public Optional<BlockLocation> location(long sequence) {
        if (!isHere(sequence)) {
            return Optional.empty();
        }
        SegmentEntry entry = entry(sequence);
        if (entry.isDamaged() || quarantine.contains(sequence)) {
            whole(sequence);
        }
        return Optional.of(location(sequence, hashInHeader(sequence, entry), entry));
    }

    /** Returns the hash of the header as it is on the disk; one that is no header any more is damage. */
    private Digest hashInHeader(long sequence, SegmentEntry entry) {
        try {
            return files.header(sequence, entry).hash();
        } catch (MalformedBlockException e) {
            whole(sequence);
            throw e;
        }
    }

    private boolean isHere(long sequence) {
        return sequence >= firstSequence && sequence <= tail.sequence;
    }

    SegmentEntry entry(long sequence) {
        SegmentEntry inOpenSegment = appender.entryOrNull(sequence);
        return inOpenSegment != null ? inOpenSegment : files.entry(sequence);
    }

    /**
     * Keeps a certificate. One that is not newer than the latest has no effect. Any thread.
     *
     * @throws ChainViolationException if the certified block is here and has another hash: this node's chain is not the
     *     agreed one
     * @throws ArchiveFullException if there is no room; the archive is as it was
     */
    public void putCertificate(CheckpointCertificate certificate) {
        long sequence = certificate.sequence();
        if (isHere(sequence)) {
            Digest hash = hashOr(sequence, certificate.chainHash());
            if (!hash.equals(certificate.chainHash())) {
                throw new ChainViolationException(String.format(
                        Locale.ROOT,
                        "block %d has hash %s, its certificate says %s",
                        sequence,
                        hash.hex(),
                        certificate.chainHash().hex()));
            }
        }
        certificates.put(certificate);
    }

    /** Returns the hash of a block, or what is said of it if it is damaged. */
    private Digest hashOr(long sequence, Digest said) {
        try {
            Digest hash = hashInHeader(sequence, entry(sequence));
            return hash.equals(said) ? hash : Block.wrap(whole(sequence)).hash();
        } catch (BlockDamagedException e) {
            return said;
        }
    }

    @Override
    public Optional<CheckpointCertificate> latestCertificate() {
        return certificates.latest();
    }

    @Override
    public Optional<CheckpointCertificate> certificateAtOrAfter(long sequence) {
        return certificates.atOrAfter(sequence);
    }

    /** Returns the newest certificate of a block before a given one. Any thread. */
    public Optional<CheckpointCertificate> certificateBefore(long sequence) {
        return certificates.before(sequence);
    }

    /** Closes the files. A full segment gets its index; any other is scanned when the archive is opened again. */
    @Override
    public void close() {
        try {
            appender.close();
        } catch (IOException e) {
            throw PositionalIo.failure("cannot close the archive in " + directory, e);
        } finally {
            files.close();
            release(certificates, lock);
        }
    }
}
