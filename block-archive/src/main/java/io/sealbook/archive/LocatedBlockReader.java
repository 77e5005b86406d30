package io.sealbook.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads blocks where their locations say, from the segment files of an archive that another process appends to. Nothing
 * is locked and no index is read; the file of the last block read stays open. One thread.
 *
 * <p>A block that its writer has lost and got again from a peer may carry other signatures, as valid as those before:
 * the hash does not cover them. It has the same length then, and differs from a damaged one by its content.
 */
public final class LocatedBlockReader implements AutoCloseable {
    private final Path directory;
    private final Predicate<Block> hasOwnBatches;
    private FileChannel channel;
    private Path file;

    /**
     * @param directory of the archive; it need not exist before the first read
     * @param hasOwnBatches returns whether each batch of a block is the one that its id names; called only if the bytes
     *     are not those of the location
     */
    public LocatedBlockReader(Path directory, Predicate<Block> hasOwnBatches) {
        this.directory = directory;
        this.hasOwnBatches = hasOwnBatches;
    }

    /**
     * Reads a block by one positional read.
     *
     * @return its bytes, which are the caller's; empty while the file ends before the block does: its writer has lost
     *     it in a power failure and will write it again
     * @throws BlockDamagedException if the bytes are not the block that the location speaks of
     * @throws ArchiveException if there is no such file, or the disk fails
     */
    public Optional<byte[]> read(BlockLocation location) {
        try {
            open(location.file(directory));
            if (channel.size() - location.offset() < location.length()) {
                // Opened anew next time: the archive may be replaced by another node's while it is mended.
                close();
                return Optional.empty();
            }
            byte[] block = PositionalIo.read(channel, file, location.offset(), location.length());
            int crc = Crc32c.of(block);
            if (crc != location.crc() && !isSameBlock(block, location)) {
                throw new BlockDamagedException(
                        "block", location.sequence(), file, location.offset(), location.crc(), crc);
            }
            return Optional.of(block);
        } catch (IOException e) {
            throw new ArchiveException(
                    "cannot read block " + location.sequence() + " from " + location.file(directory), e);
        }
    }

    private boolean isSameBlock(byte[] bytes, BlockLocation location) {
        try {
            Block block = Block.wrap(bytes);
            return block.hash().equals(location.hash()) && block.hasMerkleRoot() && hasOwnBatches.test(block);
        } catch (MalformedBlockException e) {
            return false;
        }
    }

    private void open(Path wanted) throws IOException {
        if (!wanted.equals(file)) {
            FileChannel opened = FileChannel.open(wanted, StandardOpenOption.READ);
            close();
            channel = opened;
            file = wanted;
        }
    }

    @Override
    public void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            throw new ArchiveException("cannot close " + file, e);
        } finally {
            channel = null;
            file = null;
        }
    }
}
