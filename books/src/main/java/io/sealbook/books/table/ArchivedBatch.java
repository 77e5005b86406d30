package io.sealbook.books.table;

import io.sealbook.archive.Block;
import io.sealbook.vocabulary.BatchView;

/**
 * A batch in its block.
 *
 * @param block that holds it
 * @param index of the batch in it, from 0
 * @param view of the batch
 */
record ArchivedBatch(Block block, int index, BatchView view) {
    static ArchivedBatch of(Block block, int index) {
        return new ArchivedBatch(
                block, index, new BatchView().wrap(block.array(), block.batchOffset(index), block.batchLength(index)));
    }
}
