package io.sealbook.node.block;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.BatchView;

/** Headers that each call decodes from the block's bytes. One thread. */
public final class HeadersInPlace implements BatchHeaders {
    private final Block block;
    private final BatchView view = new BatchView();

    /** @param block its batches are batches of orders; not copied */
    public HeadersInPlace(Block block) {
        this.block = block;
    }

    @Override
    public int count() {
        return block.batchCount();
    }

    @Override
    public int brokerId(int batch) {
        return at(batch).brokerId();
    }

    @Override
    public int session(int batch) {
        return at(batch).session();
    }

    @Override
    public long number(int batch) {
        return at(batch).number();
    }

    @Override
    public long validUntilBlock(int batch) {
        return at(batch).validUntilBlock();
    }

    @Override
    public int orderCount(int batch) {
        return at(batch).orderCount();
    }

    private BatchView at(int batch) {
        return view.wrap(block.array(), block.batchOffset(batch), block.batchLength(batch));
    }
}
