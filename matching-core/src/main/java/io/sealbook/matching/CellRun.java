package io.sealbook.matching;

import io.sealbook.vocabulary.Sha256;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultTree;

/**
 * A leaf of the block's result tree while results of one broker are written into it; see {@link ResultLeaf}. It is
 * hashed once, when it is full or the block ends. Reused.
 */
final class CellRun {
    private final int brokerId;
    private final Sha256 sha256 = new Sha256();
    private final byte[] bytes = new byte[ResultLeaf.HEADER_LENGTH + ResultLeaf.RUN_MAX * ResultCell.LENGTH];
    private final byte[] hash = new byte[Sha256.LENGTH];
    /** Where the next cell begins; 0 while there is none. */
    private int length;

    CellRun(int brokerId) {
        this.brokerId = brokerId;
    }

    /** Adds the result of the report of this sequence; a run that is full enters the tree. */
    void add(long sequence, ResultTree tree, long head, long order, long tradeOrCumQty, long quantity) {
        int at = length;
        if (at == 0) {
            ResultLeaf.begin(bytes, brokerId, sequence);
            at = ResultLeaf.HEADER_LENGTH;
        }
        ResultCell.put(bytes, at, head, order, tradeOrCumQty, quantity);
        length = at + ResultCell.LENGTH;
        if (length == bytes.length) {
            close(tree);
        }
    }

    /** Adds the run to the tree unless it is empty, and begins another one. */
    void close(ResultTree tree) {
        if (length > 0) {
            sha256.update(bytes, 0, length).digest(hash, 0);
            tree.add(hash);
            length = 0;
        }
    }
}
