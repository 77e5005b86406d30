package io.sealbook.engine.query;

import io.sealbook.engine.query.BooksAccess.UnansweredException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Orders by broker and ClOrdID, by account, or the newest. */
@RestController
@RequestMapping("/api/orders")
class OrderController {
    private final RecentOrders recent;
    private final BooksAccess books;
    private final SignedOrders signed;

    OrderController(RecentOrders recent, BooksAccess books, SignedOrders signed) {
        this.recent = recent;
        this.books = books;
        this.signed = signed;
    }

    /**
     * Returns an order from the first of memory, database and blocks that has it. A refused entry in memory counts
     * after the database: it may name an order that memory has no more. Without an answer of the database a refused
     * entry and an order that is found nowhere are 503.
     */
    @GetMapping("/{brokerId}/{clOrdId}")
    ReportedOrder order(@PathVariable String brokerId, @PathVariable String clOrdId) {
        long broker = Requests.id("brokerId", brokerId);
        long id = Requests.unsignedLong("clOrdId", clOrdId);
        AtomicReference<UnansweredException> unanswered = new AtomicReference<>();
        Optional<ReportedOrder> known = recent.find(broker, id, () -> recorded(broker, id, unanswered));
        if (unanswered.get() == null) {
            return known.or(() -> signed.find(broker, id))
                    .orElseThrow(() -> Requests.notFound("broker " + brokerId + " has no order " + clOrdId
                            + " in memory, in the database or in the newest blocks; /api/orders/" + brokerId + "/"
                            + clOrdId + "/history searches earlier ones"));
        }
        if (known.isPresent()) { // A refused entry: memory is asked first for orders.
            throw unanswered.get().refusal();
        }
        return signed.find(broker, id).orElseThrow(() -> unanswered.get().refusal());
    }

    private Optional<ReportedOrder> recorded(long broker, long id, AtomicReference<UnansweredException> unanswered) {
        try {
            return books.find(known -> known.order(broker, id)).map(ReportedOrder::of);
        } catch (UnansweredException e) {
            unanswered.set(e);
            return Optional.empty();
        }
    }

    /** Returns an account's orders from the database, or, without an account, the newest from the report stores. */
    @GetMapping
    List<ReportedOrder> orders(
            @RequestParam(required = false) String account, @RequestParam(defaultValue = "100") int limit) {
        int checked = Requests.limit(limit);
        if (account == null) {
            return recent.newest(checked);
        }
        long accountId = Requests.id("account", account);
        return books.query(known -> known.ordersOfAccount(accountId, checked)).stream()
                .map(ReportedOrder::of)
                .toList();
    }
}
