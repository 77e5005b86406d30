package io.sealbook.consensus.handoff;

import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.HandOffReader;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.handoff.HandedBlock;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.LongFunction;
import net.openhft.chronicle.core.io.IORuntimeException;

/**
 * The writing side of queue/blocks: exactly one excerpt for each block, in order, which holds the block's place in the
 * archive, and the block itself if the node is set so. A block that is there already (the archive lost its tail in a
 * power failure, the queue did not) is not handed over twice: the archive gets the same block again, at the same place.
 *
 * <p>One thread at a time: the starting thread appends what only the archive holds, then hands the queue to the
 * committer by starting it.
 */
public final class BlockQueue implements BlockSink, AutoCloseable {
    private final HandOffWriter<HandedBlock> writer;
    private final LongFunction<Optional<byte[]>> carried;
    private long lastSequence;

    /** Opens a queue of places; see {@link #BlockQueue(Path, Durability, LongFunction)}. */
    public BlockQueue(Path directory, Durability durability) {
        this(directory, durability, sequence -> Optional.empty());
    }

    /**
     * Opens the queue and finds its last block.
     *
     * @param directory of the queue; created if it is absent
     * @param durability what an excerpt survives when {@link #append} has returned
     * @param carried returns the bytes that the queue carries besides a block's place; empty if it carries none
     * @throws io.sealbook.handoff.HandOffException if the last excerpt is damaged
     */
    public BlockQueue(Path directory, Durability durability, LongFunction<Optional<byte[]>> carried) {
        this.carried = carried;
        this.writer = HandOffWriter.ofBlocks(directory, durability);
        try {
            this.lastSequence = last().map(BlockLocation::sequence).orElse(0L);
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /**
     * Returns the last block of the queue, if it has one.
     *
     * @throws io.sealbook.handoff.HandOffException if the excerpt is no location
     */
    @Override
    public Optional<BlockLocation> last() {
        try (HandOffReader<HandedBlock> reader = writer.reader()) {
            return reader.last().map(HandedBlock::location);
        }
    }

    /** Returns the sequence of the last block in the queue; 0 when it is empty. */
    @Override
    public long lastSequence() {
        return lastSequence;
    }

    /**
     * Hands a block over; its bytes must be in the archive.
     *
     * @throws BrokenInvariantException if a block is missing between the queue's last and this one
     * @throws StorageFailureException if the queue's files cannot be written
     */
    @Override
    public void append(BlockLocation block) {
        long sequence = block.sequence();
        if (sequence <= lastSequence) {
            return;
        }
        if (sequence != lastSequence + 1) {
            throw new BrokenInvariantException("queue/blocks ends at " + lastSequence + ", cannot append " + sequence);
        }
        try {
            writer.append(new HandedBlock(block, carried.apply(sequence)));
        } catch (IORuntimeException | InternalError e) {
            // An InternalError is how the virtual machine reports that a page of the queue's mapped file got no room on
            // the disk.
            throw new StorageFailureException("block " + sequence, e);
        }
        lastSequence = sequence;
    }

    @Override
    public void close() {
        writer.close();
    }
}
