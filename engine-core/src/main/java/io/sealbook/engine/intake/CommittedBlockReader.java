package io.sealbook.engine.intake;

import io.sealbook.archive.ArchiveException;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.LocatedBlockReader;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the committed blocks that the consensus node hands over: an excerpt of the queue gives the place of a block in
 * the node's archive, or holds the block itself. It refuses a gap or a broken chain: each block must follow its
 * predecessor's number and name its predecessor's hash. Blocks up to the starting position are skipped; those before
 * the first excerpt of the queue, whose old files are deleted, come from the archive.
 *
 * <p>One thread opens, positions and reads it.
 */
public final class CommittedBlockReader implements AutoCloseable {
    /** No excerpt is known at the starting position. */
    public static final long NO_QUEUE_INDEX = -1;

    private static final long WARNING_INTERVAL_NS = 10_000_000_000L;
    private static final Logger log = LoggerFactory.getLogger(CommittedBlockReader.class);

    private final HandOffReader<HandedBlock> queue;
    private final LocatedBlockReader archive;
    private final Path archiveDirectory;
    /** Reads what the queue has no more; null while it is not needed. */
    private ArchiveReader older;

    /** The last excerpt that was read. */
    private HandedBlock handed;

    private BlockLocation location;
    /** The block of the last excerpt is to be returned still. */
    private boolean isAwaited;

    /** Why that block cannot be read. */
    private Optional<String> obstacle = Optional.empty();

    private long warnedNs;

    private long lastSequence;
    private Digest lastHash;
    private boolean isFirst = true;

    /**
     * @param blocks the queue
     * @param archive the node's archive; need not exist while the queue is empty
     */
    public CommittedBlockReader(Path blocks, Path archive) {
        this.queue = HandOffReader.ofBlocks(blocks);
        this.archiveDirectory = archive;
        this.archive = new LocatedBlockReader(
                archive, block -> BatchContent.firstMismatch(block).isEmpty());
    }

    /**
     * Starts after a block.
     *
     * @param sequence last block that is executed already; 0 before the first
     * @param hash its hash; before the first block the genesis digest
     * @param queueIndex position of its excerpt, or {@link #NO_QUEUE_INDEX}; a wrong one only costs a scan of the queue
     */
    public void positionAfter(long sequence, Digest hash, long queueIndex) {
        lastSequence = sequence;
        lastHash = hash;
        isFirst = true;
        isAwaited = false;
        if (!standsAt(sequence, queueIndex)) {
            queue.toStart();
        }
    }

    /**
     * Returns the next block, empty when none is there yet, or the disk has changed it and the node has to repair it.
     *
     * @throws BrokenInvariantException if it does not follow the last one
     * @throws io.sealbook.archive.ArchiveException if the archive's file is not there
     * @throws io.sealbook.handoff.HandOffException if an excerpt is no location of a block
     */
    public Optional<CommittedBlock> poll() {
        obstacle = Optional.empty();
        while (isAwaited || read()) {
            if (location.sequence() <= lastSequence) {
                checkPassedOver(location.sequence(), location.hash());
                continue;
            }
            if (isFirst && location.sequence() > lastSequence + 1) {
                isAwaited = true;
                return beforeQueue();
            }
            closeOlder();
            checkNext(location.sequence());
            Optional<byte[]> bytes = handed.block().or(this::archived);
            isAwaited = bytes.isEmpty();
            if (bytes.isEmpty()) {
                return Optional.empty();
            }
            Block block = Block.wrap(bytes.get());
            checkFollows(block);
            lastSequence = location.sequence();
            lastHash = location.hash();
            isFirst = false;
            return Optional.of(new CommittedBlock(block, location.hash(), queue.lastIndex()));
        }
        return Optional.empty();
    }

    /** Returns the next block, which the queue does not have any more; empty while the node has to repair it. */
    private Optional<CommittedBlock> beforeQueue() {
        long sequence = lastSequence + 1;
        Optional<byte[]> bytes;
        try {
            bytes = older().read(sequence);
        } catch (BlockDamagedException e) {
            warn(e.getMessage());
            return Optional.empty();
        } catch (ArchiveException e) {
            log.error("blocks before the queue: {}", e.getMessage());
            bytes = Optional.empty();
        }
        if (bytes.isEmpty()) {
            checkNext(location.sequence());
        }
        Block block = Block.wrap(bytes.orElseThrow());
        checkFollows(block, sequence);
        lastSequence = sequence;
        lastHash = block.hash();
        return Optional.of(new CommittedBlock(block, lastHash, NO_QUEUE_INDEX));
    }

    private ArchiveReader older() {
        if (older == null) {
            older = ArchiveReader.open(archiveDirectory);
            log.info(
                    "queue starts at block {}; blocks from {} on come from the archive",
                    location.sequence(),
                    lastSequence + 1);
        }
        return older;
    }

    private void closeOlder() {
        if (older != null) {
            older.close();
            older = null;
        }
    }

    /** Returns whether a block was handed over that cannot be read yet, because the node has to fetch it. */
    public boolean isBlockAwaited() {
        return isAwaited;
    }

    /**
     * Returns why the block that is next was not returned although it was handed over: the archive has it damaged, or
     * does not have it. Empty if the last poll returned a block, or none was there.
     */
    public Optional<String> obstacle() {
        return obstacle;
    }

    /**
     * Returns the block; empty while the node has to fetch it from its peers: after a power failure the queue may be
     * ahead of the archive, or the disk has changed the block.
     */
    private Optional<byte[]> archived() {
        try {
            Optional<byte[]> bytes = archive.read(location);
            if (bytes.isEmpty()) {
                warn("block " + location.sequence() + " is handed over, but the archive ends before it");
            }
            return bytes;
        } catch (BlockDamagedException e) {
            warn(e.getMessage());
            return Optional.empty();
        }
    }

    private void warn(String fact) {
        obstacle = Optional.of(fact);
        long now = System.nanoTime();
        if (!isAwaited || now - warnedNs > WARNING_INTERVAL_NS) {
            warnedNs = now;
            log.warn("{}; waiting until the node has it again", fact);
        }
    }

    @Override
    public void close() {
        closeOlder();
        queue.close();
        archive.close();
    }

    private boolean standsAt(long sequence, long queueIndex) {
        return queueIndex != NO_QUEUE_INDEX && queue.moveTo(queueIndex) && read() && location.sequence() == sequence;
    }

    private boolean read() {
        Optional<HandedBlock> next = queue.read();
        next.ifPresent(found -> {
            handed = found;
            location = found.location();
        });
        return next.isPresent();
    }

    private void checkPassedOver(long sequence, Digest hash) {
        if (!isFirst) {
            throw new BrokenInvariantException("queue: block " + sequence + " came after block " + lastSequence);
        }
        if (sequence == lastSequence && !hash.equals(lastHash)) {
            throw new BrokenInvariantException("queue: block " + sequence + " has hash " + hash.hex()
                    + ", but the state was built on " + lastHash.hex());
        }
    }

    private void checkNext(long sequence) {
        if (sequence != lastSequence + 1) {
            String where = isFirst ? "queue starts at block " : "queue has a gap: block ";
            throw new BrokenInvariantException(where + sequence + ", the engine needs block " + (lastSequence + 1)
                    + "; hand the missing blocks over again, or start from a snapshot of block " + (sequence - 1)
                    + " or later");
        }
    }

    private void checkFollows(Block block) {
        long sequence = location.sequence();
        if (block.header().sequence() != sequence || !block.hash().equals(location.hash())) {
            throw new BrokenInvariantException("queue: block " + sequence + " of hash "
                    + location.hash().hex() + " is block " + block.header().sequence() + " of hash "
                    + block.hash().hex() + " in the archive");
        }
        checkFollows(block, sequence);
    }

    private void checkFollows(Block block, long sequence) {
        if (block.header().sequence() != sequence
                || !block.header().previousHash().equals(lastHash)) {
            throw new BrokenInvariantException("queue: block " + sequence + " names "
                    + block.header().previousHash().hex() + " as its predecessor's hash, expected " + lastHash.hex());
        }
    }
}
