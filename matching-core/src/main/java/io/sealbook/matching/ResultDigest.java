package io.sealbook.matching;

import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.RecordPacker;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultTree;

/**
 * The chain over all outputs: each block's packed messages are the leaves of a Merkle tree, whose root moves the digest
 * as {@link ResultLink} shows. Packing loses nothing, so the digest binds every byte, and hashes a fifth of them.
 *
 * <p>A leaf is a run of one broker's reports or of trades, see {@link ResultLeaf}. It enters the tree when it is full.
 * The runs that are not full at the block's end follow, brokers in the order of the configuration, the trades last.
 */
final class ResultDigest {
    private final ResultTree tree = new ResultTree();
    private final ResultLink link = new ResultLink();
    private final byte[] value = new byte[Digest.LENGTH];
    private final PackedRun[] reports;
    private final PackedRun trades;
    private final RecordPacker tradePacker;

    /** Takes the number of brokers and the lengths of the messages, headers included. */
    ResultDigest(int brokerCount, int reportLength, int tradeLength) {
        reports = new PackedRun[brokerCount];
        for (int broker = 0; broker < brokerCount; broker++) {
            reports[broker] = new PackedRun(ResultLeaf.Kind.REPORT, reportLength);
        }
        trades = new PackedRun(ResultLeaf.Kind.TRADE, tradeLength);
        tradePacker = new RecordPacker(tradeLength);
    }

    void beginBlock() {
        tree.reset();
        for (PackedRun run : reports) {
            run.beginBlock();
        }
        trades.beginBlock();
    }

    /** Returns the run that takes the reports of a broker, given by position. */
    PackedRun reports(int broker) {
        return reports[broker];
    }

    /** Ends a report that was packed into its broker's run up to this place. */
    void endReport(PackedRun run, int at) {
        run.end(at, tree);
    }

    void addTrade(byte[] message) {
        if (trades.begin()) {
            tradePacker.reset();
        }
        trades.end(tradePacker.pack(message, 0, trades.packed(), trades.length()), tree);
    }

    void endBlock(long sequence) {
        for (PackedRun run : reports) {
            run.close(tree);
        }
        trades.close(tree);
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
