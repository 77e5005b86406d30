package io.sealbook.handoff;

import io.sealbook.vocabulary.Digest;
import net.openhft.chronicle.core.time.TimeProvider;

/** From engine to node. */
class ResultsHandOffTest extends HandOffContract<BlockResult> {
    @Override
    HandOffWriter<BlockResult> writer(TimeProvider clock) {
        return HandOffWriter.ofResults(directory, clock);
    }

    @Override
    HandOffReader<BlockResult> reader() {
        return HandOffReader.ofResults(directory);
    }

    @Override
    BlockResult value(long block) {
        return new BlockResult(block, Digest.sha256(new byte[] {(byte) block}), 1_000 * block, 5, (int) block);
    }

    @Override
    byte[] encode(BlockResult value) {
        return value.encode();
    }
}
