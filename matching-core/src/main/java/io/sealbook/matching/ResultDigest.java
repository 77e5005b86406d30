package io.sealbook.matching;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultTree;
import java.util.Arrays;

/**
 * The chain over all results: each block's cells are the leaves of a Merkle tree, whose root moves the digest as
 * {@link ResultLink} shows.
 *
 * <p>A leaf is a run of one broker's results, see {@link ResultLeaf}. It enters the tree when it is full. The runs that
 * are not full at the block's end follow, brokers in the order of the configuration.
 */
final class ResultDigest {
    private final ResultTree tree = new ResultTree();
    private final ResultLink link = new ResultLink();
    private final byte[] value = new byte[Digest.LENGTH];
    private final CellRun[] runs;

    /** Takes the ids of the brokers in the order of the configuration. */
    ResultDigest(int[] brokerIds) {
        runs = Arrays.stream(brokerIds).mapToObj(CellRun::new).toArray(CellRun[]::new);
    }

    void beginBlock() {
        tree.reset();
    }

    /** Adds the result of a report of the broker at a position; the words are those of a cell. */
    void add(int broker, long reportSequence, long head, long order, long tradeOrCumQty, long quantity) {
        runs[broker].add(reportSequence, tree, head, order, tradeOrCumQty, quantity);
    }

    void endBlock(long sequence) {
        for (CellRun run : runs) {
            run.close(tree);
        }
        link.apply(value, sequence, tree);
    }

    /** Returns the digest of the last ended block. */
    Digest value() {
        return Digest.of(value);
    }

    /** Goes on from the digest of an ended block. */
    void restore(Digest digest) {
        digest.write(value, 0);
    }
}
