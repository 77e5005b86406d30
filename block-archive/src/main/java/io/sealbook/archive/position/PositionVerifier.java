package io.sealbook.archive.position;

import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.OrderFields;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.position.CellOrders.Fill;
import io.sealbook.archive.position.PositionVerdict.AccountPosition;
import io.sealbook.archive.position.PositionVerdict.PositionsProven;
import io.sealbook.archive.position.PositionVerdict.PositionsRefused;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.archive.proof.ProofVerifier;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.archive.result.ResultProofVerifier;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.protocol.report.Position;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.result.ResultCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Judges position proofs. Reports of a broker are numbered without gap, and the number of the first is in each leaf of
 * results: leaves from report 1 on that follow each other are all results of the broker. One thread.
 */
public final class PositionVerifier {
    private final ResultProofVerifier results;
    private final ProofVerifier batches;

    private record Key(int accountId, int instrumentId) {}

    private record BatchPlace(long block, int batchIndex) {}

    /** The evidence does not hold; the message says where. */
    private static final class RefusedException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        RefusedException(String fact) {
            super(fact);
        }
    }

    /**
     * Makes a verifier from those of the parts.
     *
     * @param results judges leaves of results
     * @param batches judges signed batches; of the same chain
     */
    public PositionVerifier(ResultProofVerifier results, ProofVerifier batches) {
        this.results = results;
        this.batches = batches;
    }

    /** Adds up what the proof proves; stops at the first link that does not hold. */
    public PositionVerdict verify(PositionProof proof) {
        try {
            return add(proof, entries(proof));
        } catch (RefusedException e) {
            return new PositionsRefused(e.getMessage());
        } catch (IllegalArgumentException | ArithmeticException e) {
            return new PositionsRefused("results do not add up: " + e.getMessage());
        }
    }

    private Map<BatchPlace, List<OrderFields>> entries(PositionProof proof) {
        Map<BatchPlace, List<OrderFields>> entries = new HashMap<>();
        BatchView view = new BatchView();
        for (InclusionProof part : proof.batches()) {
            BatchPlace place = new BatchPlace(part.header().sequence(), part.batchIndex());
            switch (batches.verify(part)) {
                case Proven proven -> require(proven.isContentProven(), "batch " + place + " is not carried");
                case Refused refused -> throw new RefusedException("batch " + place + ": " + refused.fact());
            }
            byte[] signed = part.signedBatch();
            List<OrderFields> orders = new BlockOrders().of(signed);
            require(
                    !orders.isEmpty() && view.wrap(signed, 0, signed.length).brokerId() == proof.brokerId(),
                    "batch " + place + " has no orders of the broker");
            entries.put(place, orders);
        }
        return entries;
    }

    private PositionVerdict add(PositionProof proof, Map<BatchPlace, List<OrderFields>> entries) {
        Map<Key, Position> positions = new TreeMap<>(Comparator.comparing(Key::accountId, Integer::compareUnsigned)
                .thenComparing(Key::instrumentId, Integer::compareUnsigned));
        CellOrders orders = new CellOrders();
        long next = 1;
        long block = 0;
        long lastBlock = 0;
        OptionalLong nextBlock = OptionalLong.empty();
        for (ResultProof leaf : proof.results()) {
            check(leaf, proof.brokerId(), next);
            require(leaf.sequence() >= lastBlock, "results of block " + leaf.sequence() + " after " + lastBlock);
            lastBlock = leaf.sequence();
            for (int at = 0; at < leaf.cells().length; at += ResultCell.LENGTH, next++) {
                if (next > proof.reportSequence()) {
                    nextBlock = nextBlock.isPresent() ? nextBlock : OptionalLong.of(leaf.sequence());
                    continue;
                }
                block = leaf.sequence();
                orders.next(block, ResultCell.read(leaf.cells(), at)).ifPresent(fill -> add(fill, entries, positions));
            }
        }
        require(next > proof.reportSequence(), "results end before report " + next);
        List<AccountPosition> all = new ArrayList<>();
        positions.forEach((key, position) -> all.add(new AccountPosition(key.accountId, key.instrumentId, position)));
        return new PositionsProven(block, nextBlock, all);
    }

    private void check(ResultProof leaf, int brokerId, long next) {
        require(
                leaf.place().brokerId() == brokerId,
                "results of broker " + Integer.toUnsignedString(leaf.place().brokerId()));
        require(
                leaf.place().firstSequence() == next,
                "results from report " + leaf.place().firstSequence() + ", expected from " + next);
        if (results.verify(leaf) instanceof ResultRefused refused) {
            throw new RefusedException("results from report " + next + ": " + refused.fact());
        }
    }

    private static void add(Fill fill, Map<BatchPlace, List<OrderFields>> entries, Map<Key, Position> positions) {
        OrderFields made = entry(fill.accepted(), entries);
        long price = fill.isResting() ? entry(fill.priced(), entries).priceTicks() : fill.priceTicks();
        Key key = new Key(made.accountId(), made.instrumentId());
        positions.put(key, positions.getOrDefault(key, Position.NONE).plus(made.side(), price, fill.quantityLots()));
    }

    private static OrderFields entry(OrderPlace place, Map<BatchPlace, List<OrderFields>> entries) {
        List<OrderFields> batch = entries.get(new BatchPlace(place.sequence(), place.batchIndex()));
        require(
                batch != null && place.orderIndex() < batch.size(),
                "an order was filled whose entry is not carried: " + place);
        return batch.get(place.orderIndex());
    }

    private static void require(boolean condition, String fact) {
        if (!condition) {
            throw new RefusedException(fact);
        }
    }
}
