package io.sealbook.engine.history;

import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.OrderPlace;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.archive.position.PositionProof;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.query.Requests;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.vocabulary.OperatingFailureException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ResponseStatusException;

/** Questions to the kept reports: which order has an id, what came of a signed entry, and proofs. Any thread. */
@Component
class ResultHistory {
    /** Of a proof of positions: some ten thousand blocks with orders of the broker. */
    private static final int PROOF_BYTES_MAX = 64 << 20;

    /**
     * Reports that the entries of one answer show together, at most: one order may have as many fills as a book has.
     */
    static final int REPORTS_MAX = 4_096;

    private final BlockHistory blocks;
    private final ReportStores stores;
    private final AgreedMarket market;
    private final long bytesMax;

    ResultHistory(BlockHistory blocks, ReportStores stores, AgreedMarket market, EngineProperties properties) {
        this.blocks = blocks;
        this.stores = stores;
        this.market = market;
        bytesMax = properties.history().bytesMax();
    }

    /** Returns the report that accepted an order. */
    Optional<ReportFields> accepted(long orderId) {
        return ask(search -> blocks.answer(() -> search.accepted(orderId)));
    }

    /** Returns a look-up of the blocks in which an order begins, for one question. */
    OrderBegins begins(OrderQuery query) {
        return new OrderBegins(stores, bytesMax, query);
    }

    /** Returns a look-up of reports for the entries of one question. */
    EntryReports entryReports() {
        return new EntryReports(new ReportSearch(stores, bytesMax));
    }

    /** The reports that entries of batches caused for their own brokers. One thread. */
    final class EntryReports {
        private final ReportSearch search;
        private int left = REPORTS_MAX;

        private EntryReports(ReportSearch search) {
            this.search = search;
        }

        /** Returns an entry's first reports; none if they are no longer kept, or if the question has read enough. */
        List<EntryReportView> of(ArchivedOrder order) {
            OrderPlace place = order.place();
            if (left == 0 || place.sequence() > stores.lastBlock()) {
                return List.of();
            }
            try {
                List<EntryReportView> reports = stores.of(order.brokerId()).stream()
                        .flatMap(store -> search.ofBlock(store, place.sequence()))
                        .map(ReportFields::of)
                        .filter(report ->
                                report.batchIndex() == place.batchIndex() && report.orderIndex() == place.orderIndex())
                        .limit(left)
                        .map(EntryReportView::of)
                        .toList();
                left -= reports.size();
                return reports;
            } catch (ReportSearch.NotKeptException | ReportSearch.SearchLimitException e) {
                return List.of();
            }
        }
    }

    /**
     * Proves the result that a report belongs to.
     *
     * @param brokerId whose report it is
     * @param reportSequence of the report, from 1
     * @return the bytes of the proof's file
     * @throws ResponseStatusException 404 if it does not exist, is no longer kept, or is not certified yet; 500 if the
     *     kept reports are damaged
     */
    byte[] reportProof(int brokerId, long reportSequence) {
        return prove(
                search -> search.report(brokerId, reportSequence),
                "broker " + Integer.toUnsignedString(brokerId) + " has no report " + reportSequence
                        + ", or it is no longer kept");
    }

    /** Proves a trade by the result of its incoming order; as {@link #reportProof}. */
    byte[] tradeProof(long tradeId) {
        return prove(
                search -> search.incomingFill(tradeId),
                "there is no trade " + Long.toUnsignedString(tradeId) + ", or it is no longer kept");
    }

    /**
     * Proves the positions of a broker's accounts.
     *
     * @param brokerId whose orders count
     * @param block as of whose end; {@link Long#MAX_VALUE} for the newest that is certified
     * @param reader takes the proof, as a part of the question: no more proofs are in memory than questions are
     *     answered
     * @throws ResponseStatusException as {@link #reportProof}
     */
    void positionProof(int brokerId, long block, Consumer<PositionProof> reader) {
        long lastReported = stores.lastBlock();
        ask(search -> blocks.ask(archive -> {
            ResultProver results = new ResultProver(archive, search, market.brokerIds(), market.terms());
            PositionProof proof = new PositionProver(search, results, new InclusionProver(archive), PROOF_BYTES_MAX)
                    .prove(brokerId, block, lastReported);
            reader.accept(proof);
            return proof.reportSequence();
        }));
    }

    private byte[] prove(Function<ReportSearch, Optional<ReportFields>> find, String absent) {
        long lastReported = stores.lastBlock();
        return ask(search -> blocks.ask(archive -> {
            ReportFields report = find.apply(search).orElseThrow(() -> Requests.notFound(absent));
            return new ResultProver(archive, search, market.brokerIds(), market.terms())
                    .prove(report.block(), lastReported, report.brokerId(), report.reportSequence())
                    .encode();
        }));
    }

    private <T> T ask(Function<ReportSearch, T> question) {
        try {
            return question.apply(new ReportSearch(stores, bytesMax));
        } catch (ResultProver.NoProofException
                | ReportSearch.NotKeptException
                | InclusionProver.NotProvableException e) {
            throw new ResponseStatusException(HttpStatus.NOT_FOUND, e.getMessage(), e);
        } catch (ReportSearch.SearchLimitException e) {
            throw new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE, e.getMessage() + ", see history.bytes-max", e);
        } catch (OperatingFailureException e) {
            throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, e.getMessage(), e);
        }
    }
}
