package io.sealbook.engine.history;

import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.reports.ReportStores;
import java.util.Optional;

/** In which blocks an order of a ClOrdID was accepted, by the reports of its broker. One question, one thread. */
final class OrderBegins {
    private static final byte NEW = '0';

    /** What became of the entries with which a broker entered an order in a block. */
    enum Outcome {
        /** One was accepted: an order begins here. */
        ACCEPTED,
        /** All were refused, perhaps because an earlier order has the ClOrdID: none begins here. */
        REFUSED,
        /** The block is not executed yet, or its reports are no longer kept, or too many were read. */
        UNKNOWN
    }

    private final ReportStores stores;
    private final ReportSearch search;
    private final OrderQuery query;

    /**
     * @param stores stay the caller's
     * @param bytesMax number of bytes of unpacked reports that are read for all blocks
     * @param query which order
     */
    OrderBegins(ReportStores stores, long bytesMax, OrderQuery query) {
        this.stores = stores;
        this.search = new ReportSearch(stores, bytesMax);
        this.query = query;
    }

    /** Returns the outcome in a block that has an entry for it. */
    Outcome in(long block) {
        Optional<ReportStore> store = stores.of(query.brokerId());
        if (store.isEmpty() || block > stores.lastBlock()) {
            return Outcome.UNKNOWN;
        }
        try {
            boolean isAccepted = search.ofBlock(store.get(), block)
                    .map(ReportFields::of)
                    .anyMatch(report -> report.execType() == NEW && report.clOrdId() == query.clOrdId());
            return isAccepted ? Outcome.ACCEPTED : Outcome.REFUSED;
        } catch (ReportSearch.NotKeptException | ReportSearch.SearchLimitException e) {
            return Outcome.UNKNOWN;
        }
    }
}
