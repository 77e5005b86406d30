package io.sealbook.engine.history;

import io.sealbook.engine.http.LargeAnswers;
import io.sealbook.engine.query.Requests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Orders by their OrderID, and proofs of reports, trades and positions: files that {@code block-archive.jar
 * verify-proof} reads.
 */
@RestController
class ResultController {
    private final ResultHistory results;
    private final LargeAnswers largeAnswers;

    ResultController(ResultHistory results, LargeAnswers largeAnswers) {
        this.results = results;
        this.largeAnswers = largeAnswers;
    }

    /** Returns the names under which an order is looked up, and its place. */
    @GetMapping("/api/order-ids/{orderId}")
    AcceptedOrderView accepted(@PathVariable String orderId) {
        return results.accepted(Requests.unsignedLong("orderId", orderId))
                .map(AcceptedOrderView::of)
                .orElseThrow(() -> Requests.notFound("no order has the id " + orderId + ", or it is no longer kept"));
    }

    @GetMapping(
            value = "/api/reports/{brokerId}/{reportSequence}/proof",
            produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] reportProof(@PathVariable String brokerId, @PathVariable long reportSequence) {
        return results.reportProof((int) Requests.id("brokerId", brokerId), reportSequence);
    }

    /**
     * Answers with what all results of the broker up to the end of a block come to, with their proofs: up to 64 MiB.
     */
    @GetMapping(value = "/api/positions/{brokerId}/proof", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    void positionProof(
            @PathVariable String brokerId,
            @RequestParam(defaultValue = "9223372036854775807") long block,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        int broker = (int) Requests.id("brokerId", brokerId);
        Optional<String> refusal = largeAnswers.send(
                request,
                response,
                target -> results.positionProof(broker, block, proof -> {
                    response.setContentType(MediaType.APPLICATION_OCTET_STREAM_VALUE);
                    target.write(proof::write);
                }));
        if (refusal.isPresent()) {
            throw BlockHistory.unavailable(refusal.get());
        }
    }

    @GetMapping(value = "/api/trades/{tradeId}/proof", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] tradeProof(@PathVariable String tradeId) {
        return results.tradeProof(Requests.unsignedLong("tradeId", tradeId));
    }
}
