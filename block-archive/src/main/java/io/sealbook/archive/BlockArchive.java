package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The archive of one node: the chain of blocks in segment files, and the certificates about it.
 *
 * <p>Blocks are appended by one thread, in sequence; each must follow the last one by number and by hash. They are read
 * from any thread. A directory is open for writing in one place at a time, which a lock file sees to.
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
    private static final String LOCK_FILE_NAME = "archive.lock";

    private final Path directory;
    private final ArchiveConfig config;
    private final OpenSegment.ChannelOpener opener;
    private final FileChannel lockChannel;
    private final SegmentFiles files;
    private final CertificateLog certificates;
    private final LongSupplier marks;
    private final SegmentWorker worker;

    private long firstSequence = 1;
    private ArchiveRecovery recovery;
    private volatile OpenSegment open;
    private volatile Tail tail;

    private record Tail(long sequence, Digest hash) {}

    private BlockArchive(
            Path directory,
            ArchiveConfig config,
            OpenSegment.ChannelOpener opener,
            ExecutorService workerThread,
            LongSupplier marks,
            FileChannel lockChannel,
            CertificateLog certificates) {
        this.marks = marks;
        this.directory = directory;
        this.config = config;
        this.opener = opener;
        this.lockChannel = lockChannel;
        this.certificates = certificates;
        this.files = new SegmentFiles(directory, config.blocksPerSegment());
        this.worker = new SegmentWorker(directory, this::head, opener, workerThread);
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
     * @param marks random numbers, which tell the records of a segment from bytes of brokers that look like them
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
        FileChannel lock = null;
        CertificateLog certificates = null;
        BlockArchive archive = null;
        try {
            Files.createDirectories(directory);
            lock = lock(directory);
            deleteUnfinished(directory);
            certificates = CertificateLog.open(directory, config.genesisDigest(), config.durability());
            BlockArchive opened = new BlockArchive(directory, config, opener, workerThread, marks, lock, certificates);
            opened.load();
            archive = opened;
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

    /** Takes the lock of a directory; closing the channel gives it back. */
    static FileChannel lock(Path directory) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(LOCK_FILE_NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            throw new ArchiveException("archive is open in this process already: " + directory);
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        if (lock == null) {
            throw new ArchiveException("archive is open in another process: " + directory);
        }
        return channel;
    }

    private static void deleteUnfinished(Path directory) throws IOException {
        try (Stream<Path> names = Files.list(directory)) {
            for (Path file : names.filter(OpenSegment::isUnfinished).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void release(CertificateLog certificates, FileChannel lock) {
        try {
            if (certificates != null) {
                certificates.close();
            }
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            throw new ArchiveException("cannot release the lock", e);
        }
    }

    private void load() throws IOException {
        ArchiveLoading.State state =
                ArchiveLoading.load(directory, config.genesisDigest(), config.blocksPerSegment(), config.durability());
        tail = new Tail(state.lastSequence(), lastHash(state));
        if (!state.segments().isEmpty()) {
            firstSequence = state.segments().getFirst().head().firstSequence();
        }
        long scanned = 0;
        long torn = deleteLost(state.lost());
        List<Long> damaged = new ArrayList<>();
        for (ArchiveLoading.Segment segment : state.segments()) {
            if (!segment.isClosed()) {
                scanned += segment.scan().entries().size();
                torn += segment.scan().tornBytes();
                damaged.addAll(IndexRebuild.damaged(segment.head(), segment.scan()));
                resume(segment);
            }
        }
        recovery = new ArchiveRecovery(scanned, torn, List.copyOf(damaged));
    }

    /** Nothing can be appended to a block whose hash is not known: a damaged one is named here. */
    private Digest lastHash(ArchiveLoading.State state) {
        return state.lastHash() != null
                ? state.lastHash()
                : Block.wrap(files.block(state.lastSequence(), files.entry(state.lastSequence())))
                        .hash();
    }

    /**
     * Deletes files whose predecessor has lost its end; returns their bytes. The names of all others are on the disk
     * from now on.
     */
    private long deleteLost(List<Path> lost) throws IOException {
        long bytes = 0;
        for (Path file : lost.reversed()) {
            bytes += Files.size(file);
            Files.delete(file);
        }
        if (!lost.isEmpty() || config.durability().isDisk()) {
            PositionalIo.forceDirectory(directory);
        }
        return bytes;
    }

    /**
     * Closes a full segment that was not marked closed; the one that is not full is the last and becomes the open one.
     */
    private void resume(ArchiveLoading.Segment segment) throws IOException {
        FileChannel channel = opener.open(segment.file());
        OpenSegment resumed = OpenSegment.resume(segment.file(), channel, segment.head(), segment.scan());
        if (resumed.isFull()) {
            try (resumed) {
                resumed.writeIndex();
                resumed.markClosed();
            }
        } else {
            open = resumed;
            worker.prepare(resumed.firstSequence() + config.blocksPerSegment());
        }
    }

    /** Returns what opening this archive had to mend. */
    public ArchiveRecovery recovery() {
        return recovery;
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
        worker.check();
        checkFollows(next.header());
        if (!next.hasMerkleRoot()) {
            throw new MalformedBlockException(
                    "batch ids of block " + next.header().sequence() + " do not lead to its Merkle root");
        }
        try {
            if (open == null || open.isFull()) {
                roll();
            }
        } catch (IOException e) {
            throw PositionalIo.failure(
                    "cannot begin the segment of block " + next.header().sequence(), e);
        }
        long sequence = next.header().sequence();
        Digest hash = next.hash();
        open.append(sequence, next.bytes());
        tail = new Tail(sequence, hash);
        return location(sequence, hash, open.entry(sequence));
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
                    "block %d: previous hash %s, expected %s",
                    header.sequence(), header.previousHash().hex(), last.hash.hex()));
        }
    }

    private void roll() throws IOException {
        OpenSegment full = open;
        if (full != null) {
            full.writeIndex();
            if (config.durability().isDisk()) {
                full.force();
            }
        }
        long first = tail.sequence + 1;
        OpenSegment next = worker.take(first);
        try {
            next.giveName();
            if (config.durability().isDisk()) {
                PositionalIo.forceDirectory(directory);
            }
        } catch (IOException e) {
            next.close();
            throw e;
        }
        open = next;
        if (full != null) {
            worker.close(full);
        }
        worker.prepare(first + config.blocksPerSegment());
    }

    private SegmentHead head(long firstSequence) {
        return new SegmentHead(config.blocksPerSegment(), firstSequence, config.genesisDigest(), marks.getAsLong());
    }

    /**
     * Makes every block appended before the call durable, with {@link Durability#DISK}; one call serves a group of
     * blocks. With {@link Durability#PROCESS} there is nothing to do. Any thread.
     */
    public void sync() {
        OpenSegment segment = open;
        if (!config.durability().isDisk() || segment == null) {
            return;
        }
        try {
            segment.force();
        } catch (IOException e) {
            if (segment == open) {
                throw PositionalIo.failure("cannot force the archive in " + directory, e);
            }
            // The segment was closed meanwhile, and forced before that; what came after it is in the next one.
            sync();
        }
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
            if (!putInOpenSegment(sequence, executedTimeNs)) {
                putInClosedSegment(sequence, files.entry(sequence).withExecutionTime(executedTimeNs));
            }
        } catch (IOException e) {
            throw PositionalIo.failure("cannot note the execution time of block " + sequence, e);
        }
    }

    private boolean putInOpenSegment(long sequence, long executedTimeNs) throws IOException {
        OpenSegment segment = open;
        if (segment == null || sequence < segment.firstSequence()) {
            return false;
        }
        try {
            segment.putExecutionTime(sequence, executedTimeNs);
            return true;
        } catch (ClosedChannelException e) {
            // It became full and was closed meanwhile.
            return false;
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

    /** Returns the hash of the last block, or the genesis digest when there is none. */
    public Digest lastHash() {
        return tail.hash;
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
        if (entry.isDamaged()) {
            files.block(sequence, entry);
        }
        return Optional.of(location(sequence, files.header(sequence, entry).hash(), entry));
    }

    private boolean isHere(long sequence) {
        return sequence >= firstSequence && sequence <= tail.sequence;
    }

    private SegmentEntry entry(long sequence) {
        OpenSegment segment = open;
        return segment != null && sequence >= segment.firstSequence() ? segment.entry(sequence) : files.entry(sequence);
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
            Digest hash = files.header(sequence, entry(sequence)).hash();
            if (!hash.equals(certificate.chainHash())) {
                throw new ChainViolationException(String.format(
                        "block %d has hash %s, its certificate says %s",
                        sequence, hash.hex(), certificate.chainHash().hex()));
            }
        }
        certificates.put(certificate);
    }

    @Override
    public Optional<CheckpointCertificate> latestCertificate() {
        return certificates.latest();
    }

    @Override
    public Optional<CheckpointCertificate> certificateAtOrAfter(long sequence) {
        return certificates.atOrAfter(sequence);
    }

    /** Closes the files. A full segment gets its index; any other is scanned when the archive is opened again. */
    @Override
    public void close() {
        try (worker) {
            if (open != null) {
                closeOpenSegment();
            }
        } catch (IOException e) {
            throw PositionalIo.failure("cannot close the archive in " + directory, e);
        } finally {
            files.close();
            release(certificates, lockChannel);
        }
    }

    private void closeOpenSegment() throws IOException {
        if (open.isFull()) {
            open.writeIndex();
            worker.close(open);
            return;
        }
        if (config.durability().isDisk()) {
            open.force();
        }
        open.close();
    }
}
