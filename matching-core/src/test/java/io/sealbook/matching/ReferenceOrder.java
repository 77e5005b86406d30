package io.sealbook.matching;

import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/** An order of {@link ReferenceMarket}: what its broker sent last, and what of it is filled. */
final class ReferenceOrder {
    final long orderId;
    final int broker;
    final int session;
    final int account;
    final int instrument;
    final Side side;
    final OrdType type;
    Action action = Action.NEW;
    TimeInForce tif;
    long clOrdId;
    long price;
    long quantity;
    long cum;
    long value;

    ReferenceOrder(long orderId, int broker, int session, Batch.Request request) {
        this.orderId = orderId;
        this.broker = broker;
        this.session = session;
        account = request.accountId();
        instrument = request.instrumentId();
        side = request.side();
        type = request.ordType();
        tif = request.timeInForce();
        clOrdId = request.clOrdId();
        price = request.price();
        quantity = request.quantity();
    }

    void replaceBy(Batch.Request request) {
        action = Action.REPLACE;
        tif = request.timeInForce();
        clOrdId = request.clOrdId();
        price = request.price();
        quantity = request.quantity();
    }

    void fill(long fillPrice, long fillQuantity) {
        cum += fillQuantity;
        value += fillPrice * fillQuantity;
    }

    long leaves() {
        return quantity - cum;
    }

    OrdStatus status() {
        return leaves() == 0 ? OrdStatus.FILLED : cum == 0 ? OrdStatus.NEW : OrdStatus.PARTIALLY_FILLED;
    }

    boolean isRestingKind() {
        return type == OrdType.LIMIT && ReferenceMarket.isRestingTime(tif);
    }

    boolean accepts(long otherPrice) {
        return type == OrdType.MARKET || (side == Side.BUY ? otherPrice <= price : otherPrice >= price);
    }
}
