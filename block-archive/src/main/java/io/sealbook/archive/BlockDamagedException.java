package io.sealbook.archive;

import java.nio.file.Path;
import java.util.Locale;

/**
 * A block whose bytes on disk are not those that were appended. It is named and never served; a peer's archive has it.
 * When the index entry itself is damaged, {@code offset} is the entry's, and the index can be rebuilt from the blocks.
 */
public final class BlockDamagedException extends ArchiveException {
    private final long sequence;
    private final Path file;
    private final long offset;
    private final int expectedCrc;
    private final int foundCrc;

    BlockDamagedException(String what, long sequence, Path file, long offset, int expectedCrc, int foundCrc) {
        super(String.format(
                Locale.ROOT,
                "block %d: %s damaged in %s at offset %d: CRC32C expected %08x, found %08x",
                sequence,
                what,
                file,
                offset,
                expectedCrc,
                foundCrc));
        this.sequence = sequence;
        this.file = file;
        this.offset = offset;
        this.expectedCrc = expectedCrc;
        this.foundCrc = foundCrc;
    }

    public long sequence() {
        return sequence;
    }

    public Path file() {
        return file;
    }

    /** Returns where in the file the damaged bytes begin. */
    public long offset() {
        return offset;
    }

    public int expectedCrc() {
        return expectedCrc;
    }

    public int foundCrc() {
        return foundCrc;
    }
}
