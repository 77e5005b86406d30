package io.sealbook.engine.history;

import io.sealbook.archive.result.PackedResults;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.TradeEncoder;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLeaf.Kind;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The result tree of a block, computed again from its reports as the matching core computed it. A trade is made from
 * the two reports of it: the incoming order's, then the resting order's. Immutable after construction.
 */
final class BlockResultTree {
    private static final byte TRADE = 'F';
    private static final byte BUY = '1';
    private static final long UNSIGNED_INT = 0xFFFF_FFFFL;

    private record Leaf(Kind kind, List<byte[]> messages) {
        byte[] packed() {
            return PackedResults.pack(kind, messages);
        }
    }

    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Digest> hashes;
    private final ResultRoot root;

    /**
     * Computes the tree.
     *
     * @param reports of the block in the order in which the engine made them, SBE messages with their headers
     * @param brokerIds in the order of the genesis file
     */
    BlockResultTree(List<byte[]> reports, List<Integer> brokerIds) {
        Map<Integer, List<byte[]>> runs = new LinkedHashMap<>();
        brokerIds.forEach(brokerId -> runs.put(brokerId, new ArrayList<>()));
        List<byte[]> trades = new ArrayList<>();
        Optional<ReportFields> incoming = Optional.empty();
        for (byte[] report : reports) {
            ReportFields fields = ReportFields.of(report);
            add(Kind.REPORT, runs.get(fields.brokerId()), report);
            if (fields.execType() != TRADE) {
                continue;
            }
            if (incoming.isEmpty()) {
                incoming = Optional.of(fields);
            } else {
                add(Kind.TRADE, trades, trade(incoming.get(), fields));
                incoming = Optional.empty();
            }
        }
        runs.values().forEach(run -> close(Kind.REPORT, run));
        close(Kind.TRADE, trades);
        hashes = leaves.stream()
                .map(leaf -> Digest.of(ResultLeaf.hash(leaf.kind(), leaf.packed())))
                .toList();
        root = new ResultRoot(
                leaves.size(),
                leaves.isEmpty()
                        ? Digest.sha256()
                        : ResultPath.root(hashes.get(0), 0, hashes.size(), ResultPath.of(hashes, 0))
                                .orElseThrow());
    }

    private void add(Kind kind, List<byte[]> run, byte[] message) {
        run.add(message);
        if (run.size() == ResultLeaf.RUN_MAX) {
            close(kind, run);
        }
    }

    private void close(Kind kind, List<byte[]> run) {
        if (!run.isEmpty()) {
            leaves.add(new Leaf(kind, List.copyOf(run)));
            run.clear();
        }
    }

    ResultRoot root() {
        return root;
    }

    /** Returns the place of the first message of a kind that a test accepts. */
    Optional<ResultPlace> place(Kind kind, Predicate<byte[]> test) {
        for (int leaf = 0; leaf < leaves.size(); leaf++) {
            List<byte[]> messages = leaves.get(leaf).messages();
            for (int i = 0; leaves.get(leaf).kind() == kind && i < messages.size(); i++) {
                if (test.test(messages.get(i))) {
                    return Optional.of(new ResultPlace(kind, i, leaf, leaves.size()));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the packed messages of a leaf. */
    byte[] packed(int leaf) {
        return leaves.get(leaf).packed();
    }

    /** Returns the siblings from a leaf to the root. */
    List<Digest> path(int leaf) {
        return ResultPath.of(hashes, leaf);
    }

    private static byte[] trade(ReportFields incoming, ReportFields resting) {
        boolean isBuy = incoming.side() == BUY;
        ReportFields buy = isBuy ? incoming : resting;
        ReportFields sell = isBuy ? resting : incoming;
        byte[] message = new byte[MessageHeaderEncoder.ENCODED_LENGTH + TradeEncoder.BLOCK_LENGTH];
        new TradeEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(message), 0, new MessageHeaderEncoder())
                .tradeId(incoming.tradeId())
                .blockSequence(incoming.block())
                .buyOrderId(buy.orderId())
                .sellOrderId(sell.orderId())
                .buyClOrdId(buy.clOrdId())
                .sellClOrdId(sell.clOrdId())
                .price(incoming.lastPxTicks())
                .quantity(incoming.lastQtyLots())
                .tradeTimeNs(incoming.transactTimeNs())
                .instrumentId(incoming.instrumentId() & UNSIGNED_INT)
                .buyBrokerId(buy.brokerId() & UNSIGNED_INT)
                .sellBrokerId(sell.brokerId() & UNSIGNED_INT)
                .buyAccountId(buy.accountId() & UNSIGNED_INT)
                .sellAccountId(sell.accountId() & UNSIGNED_INT)
                .aggressorSide(isBuy ? AggressorSide.BUY : AggressorSide.SELL);
        return message;
    }
}
