package io.sealbook.engine.query;

import io.sealbook.engine.persistence.BookedPositions;
import io.sealbook.engine.persistence.PositionRecord;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The positions of accounts. */
@RestController
class AccountController {
    private final BooksAccess books;

    AccountController(BooksAccess books) {
        this.books = books;
    }

    /** @param asOfBlock last block that is in the figures */
    record AccountView(long accountId, long asOfBlock, List<PositionView> positions) {}

    /** Values are in ticks times quantity. */
    record PositionView(
            long instrumentId, long netQty, long boughtQty, long boughtValue, long soldQty, long soldValue) {
        static PositionView of(PositionRecord position) {
            return new PositionView(
                    position.instrumentId(),
                    position.netQty(),
                    position.boughtQty(),
                    position.boughtValue(),
                    position.soldQty(),
                    position.soldValue());
        }
    }

    @GetMapping("/api/accounts/{accountId}")
    AccountView account(@PathVariable String accountId) {
        long id = Requests.id("accountId", accountId);
        BookedPositions known = books.query(database -> database.positions(id));
        if (known.positions().isEmpty()) {
            throw Requests.notFound("account " + accountId + " has not traded up to block " + known.asOfBlock());
        }
        return new AccountView(
                id,
                known.asOfBlock(),
                known.positions().stream().map(PositionView::of).toList());
    }
}
