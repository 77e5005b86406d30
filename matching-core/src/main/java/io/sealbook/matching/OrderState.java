package io.sealbook.matching;

import io.sealbook.matching.book.BookOrder;
import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.sbe.OrdStatus;
import java.util.Arrays;

/**
 * One order's fields while it is handled: an incoming one, or a resting one copied out of its slot to be reported.
 * Reused. {@code quantity = cumQty + leaves} while the order lives.
 */
final class OrderState extends BookOrder {
    /** By attributes. */
    private static final int[] RESTING_KINDS = restingKinds();

    long cumQty;
    int instrumentId;
    /** From the entry that placed or replaced it last; see {@link Kind}. */
    int kind;

    private static int[] restingKinds() {
        int[] kinds = new int[2 * OrderStore.REPLACED];
        Arrays.setAll(
                kinds,
                attributes -> Kind.of(
                        (attributes & OrderStore.REPLACED) != 0 ? Kind.REPLACE : Kind.NEW,
                        (attributes & OrderStore.SELL) != 0 ? Kind.SELL : Kind.BUY,
                        Kind.LIMIT,
                        (attributes & OrderStore.GOOD_TILL_CANCEL) != 0 ? Kind.GOOD_TILL_CANCEL : Kind.DAY));
        return kinds;
    }

    /** Returns OrdStatus(39) of the order while it lives or is used up. */
    OrdStatus liveStatus() {
        if (leaves == 0) {
            return OrdStatus.FILLED;
        }
        return cumQty == 0 ? OrdStatus.NEW : OrdStatus.PARTIALLY_FILLED;
    }

    /** Books a fill of the incoming order. */
    void fill(long fillPrice, long fillQuantity) {
        leaves -= fillQuantity;
        cumQty += fillQuantity;
        cumValue += fillPrice * fillQuantity;
    }

    /** Copies a resting order out of its slot. */
    void load(OrderBooks books, int[] instrumentIds, int slot) {
        books.load(slot, this);
        cumQty = quantity - leaves;
        instrumentId = instrumentIds[book];
        kind = RESTING_KINDS[attributes];
    }
}
