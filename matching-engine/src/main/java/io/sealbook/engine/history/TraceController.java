package io.sealbook.engine.history;

import io.sealbook.engine.history.OrderTraces.TraceView;
import io.sealbook.engine.query.Requests;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What became of an order, step by step. */
@RestController
class TraceController {
    private final OrderTraces traces;

    TraceController(OrderTraces traces) {
        this.traces = traces;
    }

    /** Returns signed entries, reports and the state of each order that bore the ClOrdID, the oldest first. */
    @GetMapping("/api/orders/{brokerId}/{clOrdId}/trace")
    TraceView trace(
            @PathVariable String brokerId,
            @PathVariable String clOrdId,
            @RequestParam(defaultValue = "9223372036854775807") long to) {
        return traces.trace((int) Requests.id("brokerId", brokerId), Requests.unsignedLong("clOrdId", clOrdId), to);
    }
}
