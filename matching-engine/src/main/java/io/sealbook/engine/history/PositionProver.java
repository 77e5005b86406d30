package io.sealbook.engine.history;

import io.sealbook.archive.position.CellOrders;
import io.sealbook.archive.position.CellOrders.Fill;
import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.proof.InclusionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.ResultProof;
import io.sealbook.engine.history.ResultProver.NoProofException;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.vocabulary.result.ResultCell;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Proves what a broker's accounts hold: all results of the broker from the first on, leaf by leaf, and those signed
 * batches whose orders were filled. One thread.
 */
final class PositionProver {
    private final ReportSearch reports;
    private final ResultProver results;
    private final InclusionProver batches;
    private final int bytesMax;

    private record BatchPlace(long block, int batchIndex) {}

    /**
     * @param reports of the broker, from the first on
     * @param results proves a leaf
     * @param batches proves a batch
     * @param bytesMax of the parts of a proof
     */
    PositionProver(ReportSearch reports, ResultProver results, InclusionProver batches, int bytesMax) {
        this.reports = reports;
        this.results = results;
        this.batches = batches;
        this.bytesMax = bytesMax;
    }

    /**
     * Proves positions as of the end of a block, or of the newest certified one.
     *
     * @param brokerId whose orders count
     * @param block as of which; {@link Long#MAX_VALUE} for the newest. The proof has the first results after it, if
     *     there are any and they are certified: without them it does not prove that nothing came before its end
     * @param lastReported last block whose reports can be read
     * @throws NoProofException if no report up to the block is certified, or the proof becomes too large
     */
    PositionProof prove(int brokerId, long block, long lastReported) {
        List<ResultProof> leaves = new ArrayList<>();
        long last = 0;
        long bytes = 0;
        boolean isPast = false;
        for (long next = 1; !isPast; ) {
            Optional<ResultProof> leaf = leaf(brokerId, next, lastReported);
            if (leaf.isEmpty()) {
                break;
            }
            leaves.add(leaf.get());
            next += leaf.get().cells().length / ResultCell.LENGTH;
            bytes += leaf.get().encode().length;
            requireRoom(bytes, next - 1);
            isPast = leaf.get().sequence() > block;
            last = isPast ? last : next - 1;
        }
        if (last == 0) {
            throw new NoProofException("no certified result of broker " + Integer.toUnsignedString(brokerId)
                    + " up to block " + Long.toUnsignedString(block));
        }
        return new PositionProof(brokerId, last, leaves, batches(leaves, last, bytes));
    }

    /** Returns the leaf that begins with a report; empty if there is none, or none that is certified. */
    private Optional<ResultProof> leaf(int brokerId, long first, long lastReported) {
        Optional<ReportFields> report = reports.report(brokerId, first);
        if (report.isEmpty()) {
            if (first == 1) {
                throw new NoProofException("broker " + Integer.toUnsignedString(brokerId)
                        + " has no reports, or the first are no longer kept");
            }
            return Optional.empty();
        }
        return results.isCertified(report.get().block(), lastReported)
                ? Optional.of(results.prove(report.get().block(), lastReported, brokerId, first))
                : Optional.empty();
    }

    private List<InclusionProof> batches(List<ResultProof> leaves, long last, long bytesOfLeaves) {
        Set<BatchPlace> places =
                new TreeSet<>(Comparator.comparingLong(BatchPlace::block).thenComparingInt(BatchPlace::batchIndex));
        CellOrders orders = new CellOrders();
        long next = 1;
        for (ResultProof leaf : leaves) {
            for (int at = 0; at < leaf.cells().length && next <= last; at += ResultCell.LENGTH, next++) {
                Optional<Fill> fill = orders.next(leaf.sequence(), ResultCell.read(leaf.cells(), at));
                fill.ifPresent(each -> {
                    places.add(new BatchPlace(
                            each.accepted().sequence(), each.accepted().batchIndex()));
                    if (each.isResting()) {
                        places.add(new BatchPlace(
                                each.priced().sequence(), each.priced().batchIndex()));
                    }
                });
            }
        }
        List<InclusionProof> proofs = new ArrayList<>();
        long bytes = bytesOfLeaves;
        for (BatchPlace place : places) {
            InclusionProof proof = batches.prove(place.block, place.batchIndex, true);
            proofs.add(proof);
            bytes += proof.encode().length;
            requireRoom(bytes, last);
        }
        return proofs;
    }

    private void requireRoom(long bytes, long reportSequence) {
        if (bytes > bytesMax) {
            throw new NoProofException("the proof of reports 1.." + reportSequence + " has more than " + bytesMax
                    + " bytes; name an earlier block");
        }
    }
}
