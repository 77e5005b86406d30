package io.sealbook.handoff;

import io.sealbook.archive.BlockLocation;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;

/** From node to engine. */
class BlocksHandOffTest extends HandOffContract<BlockLocation> {
    @Override
    HandOffWriter<BlockLocation> writer() {
        return HandOffWriter.ofBlocks(directory, Durability.DISK);
    }

    @Override
    HandOffReader<BlockLocation> reader() {
        return HandOffReader.ofBlocks(directory);
    }

    @Override
    BlockLocation value(long block) {
        Digest hash = Digest.sha256(new byte[] {(byte) block});
        return new BlockLocation(block, hash, 1, 1_000 * block, 500, (int) block);
    }

    @Override
    byte[] encode(BlockLocation value) {
        return value.encode();
    }
}
