package io.sealbook.client.broker;

import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.protocol.AccountRanges;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Judges orders by the present configuration before they are signed, as the nodes will. Immutable; any thread. */
final class OrderValidator {
    private final int orderCountMax;
    private final SigningBroker signer;
    private final AccountRanges accounts;
    private final Map<Integer, Instrument> instruments;

    /**
     * @param terms the present configuration
     * @param signer the broker and its key in them
     */
    OrderValidator(Genesis terms, SigningBroker signer) {
        this.orderCountMax = terms.getParameters().getOrderCountMax();
        this.signer = signer;
        this.accounts = AccountRanges.of(signer.broker());
        this.instruments = terms.getInstrumentsList().stream()
                .collect(Collectors.toUnmodifiableMap(Instrument::getInstrumentId, Function.identity()));
    }

    /** Returns the accounts that the broker's orders may name. */
    AccountRanges accounts() {
        return accounts;
    }

    /** @throws InvalidOrderException naming the first entry that is wrong */
    void check(List<Order> orders) {
        if (orders.isEmpty() || orders.size() > orderCountMax) {
            throw new InvalidOrderException(
                    0, RejectReason.CAPACITY, orders.size() + " orders, admitted are 1.." + orderCountMax);
        }
        for (int i = 0; i < orders.size(); i++) {
            check(i, orders.get(i));
        }
    }

    void check(int index, Order order) {
        require(order.clOrdId() != Order.NO_ORDER, index, RejectReason.INVALID_FIELD, "clOrdId is 0");
        if (order.isRequest()) {
            checkRequest(index, order);
            return;
        }
        if (order.action() == Action.NULL_VAL
                || order.side() == Side.NULL_VAL
                || order.ordType() == OrdType.NULL_VAL
                || order.timeInForce() == TimeInForce.NULL_VAL) {
            throw new InvalidOrderException(index, RejectReason.INVALID_FIELD, "NULL_VAL in " + order);
        }
        signer.check(index, order.action());
        if (!accounts.contains(order.accountId())) {
            throw new InvalidOrderException(
                    index, RejectReason.UNKNOWN_ACCOUNT, "account " + Integer.toUnsignedString(order.accountId()));
        }
        Instrument instrument = instruments.get(order.instrumentId());
        if (instrument == null) {
            throw new InvalidOrderException(
                    index,
                    RejectReason.UNKNOWN_INSTRUMENT,
                    "instrument " + Integer.toUnsignedString(order.instrumentId()));
        }
        if (order.action() != Action.CANCEL && instrument.getStatus() == InstrumentStatus.INSTRUMENT_HALTED) {
            throw new InvalidOrderException(
                    index,
                    RejectReason.INSTRUMENT_HALTED,
                    "instrument " + Integer.toUnsignedString(order.instrumentId()));
        }
        if (order.action() == Action.NEW) {
            require(
                    order.origClOrdId() == Order.NO_ORDER,
                    index,
                    RejectReason.INVALID_FIELD,
                    "a new order names an original");
            checkTerms(index, order, instrument);
        } else {
            require(
                    order.origClOrdId() != Order.NO_ORDER,
                    index,
                    RejectReason.UNKNOWN_ORDER,
                    "a cancel or replace names no original");
            if (order.action() == Action.REPLACE) {
                checkTerms(index, order, instrument);
            }
        }
    }

    private void checkRequest(int index, Order order) {
        signer.check(index, order.action());
        int account = order.accountId();
        if (order.action() == Action.MASS_CANCEL && account != 0 && !accounts.contains(account)) {
            throw new InvalidOrderException(
                    index, RejectReason.UNKNOWN_ACCOUNT, "account " + Integer.toUnsignedString(account));
        }
        int instrument = order.instrumentId();
        if (instrument != 0 && !instruments.containsKey(instrument)) {
            throw new InvalidOrderException(
                    index, RejectReason.UNKNOWN_INSTRUMENT, "instrument " + Integer.toUnsignedString(instrument));
        }
    }

    private static void checkTerms(int index, Order order, Instrument instrument) {
        if (order.quantity() < 1 || order.quantity() > instrument.getQuantityMax()) {
            throw new InvalidOrderException(
                    index,
                    RejectReason.INVALID_QUANTITY,
                    "quantity " + order.quantity() + ", admitted are 1.." + instrument.getQuantityMax());
        }
        if (order.ordType() == OrdType.MARKET) {
            require(order.price() == 0, index, RejectReason.INVALID_PRICE, "a market order has a price");
        } else if (order.price() < instrument.getPriceMin() || order.price() > instrument.getPriceMax()) {
            throw new InvalidOrderException(
                    index,
                    RejectReason.INVALID_PRICE,
                    "price " + order.price() + " ticks, admitted are " + instrument.getPriceMin() + ".."
                            + instrument.getPriceMax());
        }
    }

    private static void require(boolean condition, int index, RejectReason reason, String fact) {
        if (!condition) {
            throw new InvalidOrderException(index, reason, fact);
        }
    }
}
