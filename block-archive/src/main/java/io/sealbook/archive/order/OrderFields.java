package io.sealbook.archive.order;

import io.sealbook.vocabulary.OrderView;

/**
 * An order as its broker signed it. Identifiers are unsigned.
 *
 * @param clOrdId FIX ClOrdID(11)
 * @param origClOrdId FIX OrigClOrdID(41) of a cancel or replace, else 0
 * @param action FIX MsgType(35)
 * @param side FIX Side(54), 0 where a cancel leaves it out
 * @param ordType FIX OrdType(40), 0 where a cancel leaves it out
 * @param timeInForce FIX TimeInForce(59), 0 where a cancel leaves it out
 * @param priceTicks FIX Price(44)
 * @param quantityLots FIX OrderQty(38)
 * @param accountId FIX Account(1)
 * @param instrumentId FIX SecurityID(48)
 */
public record OrderFields(
        long clOrdId,
        long origClOrdId,
        byte action,
        byte side,
        byte ordType,
        byte timeInForce,
        long priceTicks,
        long quantityLots,
        int accountId,
        int instrumentId) {
    static OrderFields of(OrderView view) {
        return new OrderFields(
                view.clOrdId(),
                view.origClOrdId(),
                view.actionCode(),
                view.sideCode(),
                view.ordTypeCode(),
                view.timeInForceCode(),
                view.priceTicks(),
                view.quantityLots(),
                view.accountId(),
                view.instrumentId());
    }
}
