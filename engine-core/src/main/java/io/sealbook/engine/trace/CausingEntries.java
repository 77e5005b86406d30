package io.sealbook.engine.trace;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.BlockOrders;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.order.OrderSearch;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.trace.OrderLife.SignedEntry;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.Map;
import java.util.Optional;

/** Signed entries in the blocks of an archive. One thread. */
final class CausingEntries {
    private final ArchiveReader archive;
    private final BlockOrders orders = new BlockOrders();
    /** Reports of one block come one after another. */
    private Optional<Block> block = Optional.empty();

    private long sequence;

    /** Takes an archive, which stays the caller's. */
    CausingEntries(ArchiveReader archive) {
        this.archive = archive;
    }

    /** Returns the entry that caused a report, if it is one of this order: the other side may have caused a fill. */
    Optional<SignedEntry> of(ReportFields report) {
        if (sequence != report.block()) {
            sequence = report.block();
            block = archive.read(sequence).map(Block::wrap);
        }
        return block.filter(read -> report.batchIndex() < read.batchCount())
                .flatMap(read -> orders.of(read, (int) report.batchIndex()).stream()
                        .skip(report.orderIndex())
                        .findFirst()
                        .filter(order -> order.brokerId() == report.brokerId()
                                && order.fields().clOrdId() == report.clOrdId())
                        .map(this::signed));
    }

    /**
     * Adds all entries that a query asks for; reads each block.
     *
     * @param entries gets those that it has not, by their places
     * @param query which orders
     * @param from first block
     * @param to last block
     * @throws OperatingFailureException if a block is damaged
     */
    void addSearched(Map<OrderPlace, SignedEntry> entries, OrderQuery query, long from, long to) {
        new OrderSearch(archive).search(from, to, query, new OrderSearch.Listener() {
            @Override
            public void onOrder(ArchivedOrder order) {
                entries.computeIfAbsent(order.place(), place -> signed(order));
            }

            @Override
            public void onUnreadable(long unreadable, String fact) {
                throw new OperatingFailureException(fact);
            }

            @Override
            public void onSearched(long searched) {
                // A life is shown at its end.
            }
        });
    }

    private SignedEntry signed(ArchivedOrder order) {
        return new SignedEntry(
                order, archive.certificateAtOrAfter(order.place().sequence()).map(CheckpointCertificate::sequence));
    }
}
