package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The passage from one configuration to the next, at the beginning of a block. Orders that could not have come to rest
 * under the next one are cancelled: of removed brokers, for accounts that are no longer the broker's, beyond the limits
 * of their instrument.
 */
final class Reconfiguration {
    private final MarketConfig from;
    private final MarketConfig to;
    private final boolean mayConcernAll;

    private Reconfiguration(MarketConfig from, MarketConfig to) {
        this.from = from;
        this.to = to;
        boolean isAny = false;
        for (int broker = 0; broker < from.brokers().size(); broker++) {
            isAny |= mayConcern(from.brokers().get(broker), to.brokers().get(broker));
        }
        this.mayConcernAll = isAny;
    }

    private static boolean mayConcern(BrokerConfig before, BrokerConfig after) {
        boolean isRemoved = after.status() == BrokerStatus.REMOVED && before.status() != BrokerStatus.REMOVED;
        return isRemoved || !after.accounts().equals(before.accounts());
    }

    /**
     * Returns the passage between two configurations.
     *
     * @throws BrokenInvariantException if a number of the market changes, or a broker or an instrument does not keep
     *     its place
     */
    static Reconfiguration between(MarketConfig from, MarketConfig to) {
        boolean isSameMarket = from.chainId() == to.chainId()
                && from.orderCountMax() == to.orderCountMax()
                && from.validityBlocksMax() == to.validityBlocksMax()
                && from.sessionsPerBroker() == to.sessionsPerBroker()
                && from.tradingDayOffsetNs() == to.tradingDayOffsetNs()
                && from.liveOrderCountMax() == to.liveOrderCountMax();
        if (!isSameMarket) {
            throw new BrokenInvariantException("a configuration changes a parameter of the market");
        }
        checkPlaces("broker", from.brokers(), to.brokers(), BrokerConfig::brokerId);
        checkPlaces("instrument", from.instruments(), to.instruments(), InstrumentConfig::instrumentId);
        return new Reconfiguration(from, to);
    }

    private static <T> void checkPlaces(String name, List<T> from, List<T> to, ToIntFunction<T> id) {
        for (int i = 0; i < from.size(); i++) {
            int before = id.applyAsInt(from.get(i));
            if (i >= to.size() || id.applyAsInt(to.get(i)) != before) {
                throw new BrokenInvariantException(name + " " + Integer.toUnsignedString(before) + " loses its place "
                        + i + " in a configuration");
            }
        }
    }

    MarketConfig to() {
        return to;
    }

    /** Returns whether outputs may differ from now on. */
    boolean isEffective() {
        return !Arrays.equals(ConfigDigest.of(from), ConfigDigest.of(to));
    }

    /**
     * Cancels, in the books of before, the orders that must end: by instrument, buys before sells, in priority order.
     */
    void cancelUnfit(OrderBooks books, int[] instrumentIds, ReportWriter reports) {
        OrderState order = new OrderState();
        for (int book = 0; book < from.instruments().size(); book++) {
            if (!mayConcernAll && !isNarrowed(book)) {
                continue;
            }
            for (int side = 0; side < 2; side++) {
                int slot = books.firstOrder(book, side);
                while (slot != OrderStore.NONE) {
                    int next = books.nextOrder(slot);
                    order.load(books, instrumentIds, slot);
                    RejectReason reason = reasonToEnd(order);
                    if (reason != RejectReason.NONE) {
                        books.remove(slot);
                        reports.canceled(order, reason);
                    }
                    slot = next;
                }
            }
        }
    }

    private boolean isNarrowed(int book) {
        InstrumentConfig before = from.instruments().get(book);
        InstrumentConfig after = to.instruments().get(book);
        return after.priceMin() > before.priceMin()
                || after.priceMax() < before.priceMax()
                || after.quantityMax() < before.quantityMax();
    }

    private RejectReason reasonToEnd(OrderState order) {
        BrokerConfig broker = to.brokers().get(order.broker);
        InstrumentConfig instrument = to.instruments().get(order.book);
        if (broker.status() == BrokerStatus.REMOVED) {
            return RejectReason.BROKER_REMOVED;
        }
        if (!broker.accounts().contains(order.account)) {
            return RejectReason.UNKNOWN_ACCOUNT;
        }
        boolean isWithin = instrument.prices().contains(order.price) && order.quantity <= instrument.quantityMax();
        return isWithin ? RejectReason.NONE : RejectReason.OUTSIDE_LIMITS;
    }
}
