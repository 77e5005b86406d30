package io.sealbook.engine.history;

import io.sealbook.archive.tool.OrderText;
import io.sealbook.engine.config.EngineProperties;
import io.sealbook.engine.query.Requests;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch;
import io.sealbook.engine.trace.LifeText;
import io.sealbook.engine.trace.OrderLife;
import io.sealbook.vocabulary.OperatingFailureException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ResponseStatusException;

/** Lives of orders, from the newest kept reports and the blocks. Any thread. */
@Component
class OrderTraces {
    private final BlockHistory blocks;
    private final ReportStores stores;
    private final EngineDirectory directory;
    private final long bytesMax;

    OrderTraces(BlockHistory blocks, ReportStores stores, EngineDirectory directory, EngineProperties properties) {
        this.blocks = blocks;
        this.stores = stores;
        this.directory = directory;
        bytesMax = properties.history().bytesMax();
    }

    /**
     * A life.
     *
     * @param events as {@code books.jar trace --json} prints them, with the addresses of proofs
     * @param searchedFrom first block that was searched
     * @param searchedTo last block that was searched
     * @param isComplete whether the life begins with its begin; false if earlier reports were not searched
     */
    record TraceView(List<Map<String, Object>> events, long searchedFrom, long searchedTo, boolean isComplete) {}

    /**
     * Searches the life of an order.
     *
     * @param brokerId unsigned
     * @param clOrdId unsigned
     * @param to last block of interest
     * @throws ResponseStatusException 404 if no kept report names the order, 500 if a file is damaged
     * @throws ErrorResponseException 503 if there are no blocks yet, or if it has no turn in time
     */
    TraceView trace(int brokerId, long clOrdId, long to) {
        LifeSearch.Scope scope = new LifeSearch.Scope(1, Math.min(to, stores.lastBlock()), bytesMax);
        try {
            OrderLife life =
                    blocks.ask(archive -> new LifeSearch(directory, scope).search(archive, brokerId, clOrdId, false));
            if (life.events().isEmpty()) {
                throw Requests.notFound("no report of broker " + Integer.toUnsignedString(brokerId) + " names order "
                        + Long.toUnsignedString(clOrdId) + " in blocks " + life.searchedFrom() + ".."
                        + life.searchedTo() + ", or it is no longer kept");
            }
            return new TraceView(
                    LifeText.facts(life).stream()
                            .map(facts -> view(facts, brokerId))
                            .toList(),
                    life.searchedFrom(),
                    life.searchedTo(),
                    life.isComplete());
        } catch (OperatingFailureException | UncheckedIOException e) {
            throw new ResponseStatusException(HttpStatus.INTERNAL_SERVER_ERROR, e.getMessage(), e);
        }
    }

    private static Map<String, Object> view(Map<String, String> facts, int brokerId) {
        Map<String, Object> view = new LinkedHashMap<>();
        facts.forEach((name, value) -> view.put(name, OrderText.isNumber(name) ? Long.valueOf(value) : value));
        if (facts.get(LifeText.EVENT).equals("entry")) {
            view.put("proof", "/api/blocks/" + facts.get("block") + "/batches/" + facts.get("batch") + "/proof");
        } else if (facts.containsKey("reportSequence")) {
            String reports = "/api/reports/" + Integer.toUnsignedString(brokerId) + "/";
            view.put("proof", reports + facts.get("reportSequence") + "/proof");
            if (facts.containsKey("tradeId")) {
                view.put("tradeProof", "/api/trades/" + facts.get("tradeId") + "/proof");
            }
        }
        return view;
    }
}
