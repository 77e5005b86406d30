package io.sealbook.engine.history;

import io.sealbook.archive.order.BlockWindow;
import io.sealbook.archive.order.OrderQuery;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.query.Requests;
import java.time.Instant;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders as their brokers signed them, and proofs, from the blocks. */
@RestController
class HistoryController {
    private final BlockHistory history;
    private final ResultHistory results;
    private final long bytesMax;

    HistoryController(BlockHistory history, ResultHistory results, EngineProperties properties) {
        this.history = history;
        this.results = results;
        bytesMax = properties.history().bytesMax();
    }

    /**
     * @param entries at most {@value HistorySearch#ENTRIES_MAX}, with as many reports together; of a block that has
     *     more the newest
     * @param searchedFrom first block that was searched
     * @param searchedTo last block that was searched
     * @param isComplete false if the search ended at its limit, or at an entry of an order whose outcome is not known:
     *     ask again with {@code to=searchedFrom - 1}
     * @param unreadable damaged blocks among them
     */
    record HistoryView(
            List<ArchivedOrderView> entries,
            long searchedFrom,
            long searchedTo,
            boolean isComplete,
            List<Long> unreadable) {}

    /** Returns the order with its cancels and replaces, the oldest first. */
    @GetMapping("/api/orders/{brokerId}/{clOrdId}/history")
    HistoryView history(
            @PathVariable String brokerId,
            @PathVariable String clOrdId,
            @RequestParam(required = false) Long from,
            @RequestParam(required = false) Long to,
            @RequestParam(required = false) Instant since,
            @RequestParam(required = false) Instant until) {
        OrderQuery query =
                new OrderQuery((int) Requests.id("brokerId", brokerId), Requests.unsignedLong("clOrdId", clOrdId));
        BlockWindow window = new BlockWindow(from, to, since, until);
        return history.ask(
                blocks -> view(new HistorySearch(blocks, query, results.begins(query)::in).run(window, bytesMax)));
    }

    private HistoryView view(OrderHistory found) {
        ResultHistory.EntryReports reports = results.entryReports();
        return new HistoryView(
                found.entries().stream()
                        .map(order -> ArchivedOrderView.of(order, reports.of(order)))
                        .toList(),
                found.searchedFrom(),
                found.searchedTo(),
                found.isComplete(),
                found.unreadable());
    }

    /** Returns the file that {@code block-archive.jar verify-proof} reads. */
    @GetMapping(
            value = "/api/blocks/{sequence}/batches/{batchIndex}/proof",
            produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] proof(@PathVariable long sequence, @PathVariable int batchIndex) {
        return history.proof(sequence, batchIndex);
    }
}
