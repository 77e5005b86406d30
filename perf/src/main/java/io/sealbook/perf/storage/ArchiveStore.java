package io.sealbook.perf.storage;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.BlockArchive;
import io.sealbook.perf.bench.archive.BenchBlocks;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;

/** The block archive as a node uses it: each block's links, Merkle root and checksum are checked. */
final class ArchiveStore implements BlockStore {
    private static final int BLOCKS_PER_SEGMENT = 4_096;

    private final BlockArchive archive;

    ArchiveStore(Path directory, boolean isSync) {
        archive = BlockArchive.open(
                directory,
                new ArchiveConfig(
                        BenchBlocks.GENESIS_DIGEST, BLOCKS_PER_SEGMENT, isSync ? Durability.DISK : Durability.PROCESS));
    }

    @Override
    public void append(long sequence, byte[] block) {
        archive.append(block);
        archive.sync();
    }

    @Override
    public byte[] read(long sequence) {
        return archive.read(sequence).orElseThrow();
    }

    @Override
    public void close() {
        archive.close();
    }
}
