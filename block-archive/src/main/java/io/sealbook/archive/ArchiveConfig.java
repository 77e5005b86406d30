package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;

/**
 * How an archive is opened.
 *
 * @param genesisDigest SHA-256 of the genesis file: the previous hash of block 1, written into every file and compared
 *     on opening
 * @param blocksPerSegment 1..{@value #BLOCKS_PER_SEGMENT_MAX}; fixed for the life of an archive. 32 bytes of head room
 *     are reserved for each
 * @param durability what {@link BlockArchive#append} and {@link BlockArchive#sync} promise
 */
public record ArchiveConfig(Digest genesisDigest, int blocksPerSegment, Durability durability) {
    /** Blocks in a segment where nothing else is said. */
    public static final int BLOCKS_PER_SEGMENT_DEFAULT = 4_096;
    /** Largest segment: 2 MiB of index. */
    public static final int BLOCKS_PER_SEGMENT_MAX = 65_536;

    /** @throws IllegalArgumentException if a value is out of range */
    public ArchiveConfig {
        if (genesisDigest == null) {
            throw new IllegalArgumentException("genesisDigest is null");
        }
        if (blocksPerSegment < 1 || blocksPerSegment > BLOCKS_PER_SEGMENT_MAX) {
            throw new IllegalArgumentException(
                    "blocksPerSegment " + blocksPerSegment + ", expected 1.." + BLOCKS_PER_SEGMENT_MAX);
        }
        if (durability == null) {
            throw new IllegalArgumentException("durability is null");
        }
    }
}
