package io.sealbook.archive.order;

import io.sealbook.vocabulary.OrderView;

/**
 * Which orders are searched: those of a broker that bear a ClOrdID, or that cancel or replace the order that bears it.
 *
 * @param brokerId unsigned
 * @param clOrdId FIX ClOrdID(11), unsigned; 0 does not match entries that only lack an OrigClOrdID(41)
 */
public record OrderQuery(int brokerId, long clOrdId) {
    boolean matches(OrderView order) {
        return order.clOrdId() == clOrdId || (clOrdId != 0 && order.origClOrdId() == clOrdId);
    }
}
