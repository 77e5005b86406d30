package io.sealbook.archive;

import io.sealbook.vocabulary.Digest;
import java.util.Optional;

/** Blocks and certificates to read, from any thread: a live archive, or the files of a stopped node. */
public interface BlockSource {
    /** Returns the digest of the genesis file that this chain began with. */
    Digest genesisDigest();

    /** Returns the sequence of the first block that is here: 1 unless segments have been moved away. */
    long firstSequence();

    /**
     * Returns the sequence of the last block; {@code firstSequence() - 1}, which is 0 in a new archive, when there is
     * none.
     */
    long lastSequence();

    /**
     * Reads a block by its number, at a cost that does not depend on the length of the chain: one index entry, one
     * read.
     *
     * @return the block's bytes, which are the caller's; empty if it is not here
     * @throws BlockDamagedException if the bytes on the disk are not those that were appended
     */
    Optional<byte[]> read(long sequence);

    /** Returns the facts of a block that the index holds; empty if it is not here. */
    Optional<BlockFacts> facts(long sequence);

    /** Returns the newest certificate. */
    Optional<CheckpointCertificate> latestCertificate();

    /** Returns the oldest certificate that covers a block. */
    Optional<CheckpointCertificate> certificateAtOrAfter(long sequence);
}
