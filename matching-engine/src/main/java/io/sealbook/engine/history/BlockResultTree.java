package io.sealbook.engine.history;

import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.OperatingFailureException;
import io.sealbook.vocabulary.result.ConfigurationLeaf;
import io.sealbook.vocabulary.result.ReportRun;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The result tree of a block, computed again from its reports as the matching core computed it. Of the two reports of a
 * trade the incoming order's comes first, then the resting order's. It keeps the hashes of the leaves and not their
 * cells, so that it stays small however many reports the block has. Immutable after construction.
 */
final class BlockResultTree {
    private record Leaf(int brokerId, long firstSequence, int count, Digest hash) {}

    /** Leaves before those of results: 1 in the first block under another configuration, else 0. */
    private final int offset;

    /** A leaf while it is filled. */
    private static final class Run {
        private final List<ResultCell> cells = new ArrayList<>();
        private long firstSequence;

        void add(ReportFields report, boolean isIncoming) {
            if (cells.isEmpty()) {
                firstSequence = report.reportSequence();
            }
            cells.add(cell(report, isIncoming));
        }

        Leaf close(int brokerId) {
            byte[] bytes = new byte[cells.size() * ResultCell.LENGTH];
            for (int i = 0; i < cells.size(); i++) {
                cells.get(i).write(bytes, i * ResultCell.LENGTH);
            }
            int count = cells.size();
            cells.clear();
            return new Leaf(brokerId, firstSequence, count, Digest.of(ResultLeaf.hash(brokerId, firstSequence, bytes)));
        }
    }

    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Digest> hashes;
    private final ResultRoot root;

    /**
     * Computes the tree.
     *
     * @param reports of the block in the order in which the engine made them, SBE messages with their headers
     * @param brokerIds in the order in which they came
     * @param configuration digest of the configuration under which the block is the first; empty if it is not
     * @throws OperatingFailureException if a report has an unknown ExecType: a file is damaged
     */
    BlockResultTree(Stream<byte[]> reports, List<Integer> brokerIds, Optional<Digest> configuration) {
        Map<Integer, Run> runs = new LinkedHashMap<>();
        brokerIds.forEach(brokerId -> runs.put(brokerId, new Run()));
        boolean isIncoming = true;
        for (Iterator<byte[]> messages = reports.iterator(); messages.hasNext(); ) {
            ReportFields report = ReportFields.of(messages.next());
            Run run = runs.get(report.brokerId());
            run.add(report, isIncoming);
            if (report.tradeId() != 0) {
                isIncoming = !isIncoming;
            }
            if (run.cells.size() == ResultLeaf.RUN_MAX) {
                leaves.add(run.close(report.brokerId()));
            }
        }
        runs.forEach((brokerId, run) -> {
            if (!run.cells.isEmpty()) {
                leaves.add(run.close(brokerId));
            }
        });
        hashes = Stream.concat(
                        configuration.map(ConfigurationLeaf::hash).map(Digest::of).stream(),
                        leaves.stream().map(Leaf::hash))
                .toList();
        offset = hashes.size() - leaves.size();
        root = new ResultRoot(
                hashes.size(),
                hashes.isEmpty()
                        ? Digest.sha256()
                        : ResultPath.root(hashes.get(0), 0, hashes.size(), ResultPath.of(hashes, 0))
                                .orElseThrow());
    }

    private static ResultCell cell(ReportFields report, boolean isIncoming) {
        ResultEvent event = event(report, isIncoming);
        long order = event == ResultEvent.INCOMING_FILL ? report.lastPxTicks() : report.orderId();
        long quantity = switch (event) {
            case INCOMING_FILL, RESTING_FILL -> report.lastQtyLots();
            case CANCELED, EXPIRED -> report.quantityLots() - report.cumQtyLots();
            default -> report.leavesQtyLots();
        };
        return new ResultCell(
                report.batchIndex(),
                report.orderIndex(),
                event,
                report.rejectReason(),
                order,
                event.isFill() ? report.tradeId() : report.cumQtyLots(),
                quantity);
    }

    private static ResultEvent event(ReportFields report, boolean isIncoming) {
        return switch (report.execType()) {
            case '0' -> ResultEvent.ACCEPTED;
            case '4' -> ResultEvent.CANCELED;
            case '5' -> ResultEvent.REPLACED;
            case '8' -> ResultEvent.REJECTED;
            case '9' -> ResultEvent.CANCEL_REJECTED;
            case 'C' -> ResultEvent.EXPIRED;
            case 'r' -> ResultEvent.MASS_CANCELED;
            case 'F' -> isIncoming ? ResultEvent.INCOMING_FILL : ResultEvent.RESTING_FILL;
            default -> throw new OperatingFailureException("a kept report has the ExecType " + report.execType());
        };
    }

    ResultRoot root() {
        return root;
    }

    /** Returns the place of a broker's result; empty if the block has none of this report sequence. */
    Optional<ResultPlace> place(int brokerId, long reportSequence) {
        for (int leaf = 0; leaf < leaves.size(); leaf++) {
            Leaf at = leaves.get(leaf);
            long index = reportSequence - at.firstSequence();
            if (at.brokerId() == brokerId && index >= 0 && index < at.count()) {
                return Optional.of(
                        new ResultPlace(brokerId, at.firstSequence(), (int) index, leaf + offset, hashes.size()));
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the cells of a leaf with results.
     *
     * @param leaf its index
     * @param run that has the report with which it begins
     * @throws OperatingFailureException if the leaf has other cells: the run was changed
     */
    byte[] cells(int leaf, byte[] run) {
        Leaf at = leaves.get(leaf - offset);
        byte[] cells = Arrays.copyOfRange(
                run, ReportRun.HEADER_LENGTH, ReportRun.HEADER_LENGTH + ReportRun.count(run, 0) * ResultCell.LENGTH);
        if (!Digest.of(ResultLeaf.hash(at.brokerId(), at.firstSequence(), cells))
                .equals(at.hash())) {
            throw new OperatingFailureException("the run of report " + at.firstSequence() + " of broker "
                    + Integer.toUnsignedString(at.brokerId()) + " is not that of its block's result tree");
        }
        return cells;
    }

    /** Returns the siblings from a leaf to the root. */
    List<Digest> path(int leaf) {
        return ResultPath.of(hashes, leaf);
    }
}
