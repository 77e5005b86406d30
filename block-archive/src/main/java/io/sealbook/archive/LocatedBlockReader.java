package io.sealbook.archive;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Reads blocks where their locations say, from the segment files of an archive that another process appends to. Nothing is locked and no
 * index is read; the file of the last block read stays open. One thread.
 */
public final class LocatedBlockReader implements AutoCloseable {
    private final Path directory;
    private FileChannel channel;
    private Path file;

    /** @param directory of the archive; it need not exist yet */
    public LocatedBlockReader(Path directory) {
        this.directory = directory;
    }

    /**
     * Reads a block by one positional read.
     *
     * @return its bytes, which are the caller's; empty while the file is not there, or ends before the block does: its writer has lost
     *     it in a power failure and will write it again
     * @throws BlockDamagedException if the bytes are not those that the location speaks of
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
            if (crc != location.crc()) {
                throw new BlockDamagedException(
                        "block", location.sequence(), file, location.offset(), location.crc(), crc);
            }
            return Optional.of(block);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new ArchiveException(
                    "cannot read block " + location.sequence() + " from " + location.file(directory), e);
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
