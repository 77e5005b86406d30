package io.sealbook.perf.flow;

import io.sealbook.perf.flow.FlowStep.ExpectedLevels;
import io.sealbook.perf.flow.FlowStep.ExpectedTrade;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes a flow from a seed, with the shape of Shanghai order flow: about a third marketable, a quarter of the orders
 * cancelled, lots of 100, most prices within a few ticks of the best. Its answers come from a {@link ReferenceBook}.
 */
public final class SyntheticFlow {
    /** Which entries a flow has. */
    public enum Mix {
        /** Limit orders, immediate-or-cancel, fill-or-kill and market orders, cancels and replaces. */
        ALL_KINDS,
        /** Limit orders and cancels, which is what a Shanghai day has. */
        LIMITS_AND_CANCELS
    }

    private static final long PRICE_START = 10_000;
    private static final long PRICE_MIN = 5_000;
    private static final long PRICE_MAX = 20_000;
    private static final long LOT = 100;
    private static final int DEPTH = 10;
    private static final int OPEN_ORDERS_TARGET = 2_000;

    private final SplittableRandom random;
    private final Mix mix;
    private final ReferenceBook book = new ReferenceBook();
    private final List<ReferenceBook.Resting> open = new ArrayList<>();
    private final List<FlowStep> steps = new ArrayList<>();
    private long clOrdIds;

    private SyntheticFlow(long seed, Mix mix) {
        random = new SplittableRandom(seed);
        this.mix = mix;
    }

    /**
     * Returns the flow of a seed; the same arguments give the same flow.
     *
     * @param symbol of the instrument
     * @param seed any number
     * @param commandCount number of entries, at least 0
     */
    public static OrderFlow generate(String symbol, long seed, int commandCount) {
        return generate(symbol, seed, commandCount, Mix.ALL_KINDS);
    }

    /**
     * Returns the flow of a seed; the same arguments give the same flow.
     *
     * @param symbol of the instrument
     * @param seed any number
     * @param commandCount number of entries, at least 0
     * @param mix which entries it has
     */
    public static OrderFlow generate(String symbol, long seed, int commandCount, Mix mix) {
        SyntheticFlow flow = new SyntheticFlow(seed, mix);
        for (int i = 0; i < commandCount; i++) {
            flow.next();
        }
        return new OrderFlow(
                "sample market " + symbol + " (seed " + seed + ")",
                symbol,
                2,
                PRICE_MIN,
                PRICE_MAX,
                1_000_000,
                flow.steps);
    }

    private void next() {
        int draw = random.nextInt(1000);
        int cancelShare = open.size() > OPEN_ORDERS_TARGET ? 450 : 200;
        ReferenceBook.Resting victim = draw < cancelShare + 30 ? pickOpen() : null;
        if (victim != null && draw < cancelShare) {
            cancel(victim);
        } else if (victim != null && mix == Mix.ALL_KINDS) {
            replace(victim);
        } else {
            enter(draw);
        }
    }

    /** Returns an open order, or null after a few draws met only orders that are gone. */
    private ReferenceBook.Resting pickOpen() {
        for (int tries = 0; tries < 8 && !open.isEmpty(); tries++) {
            int index = random.nextInt(open.size());
            ReferenceBook.Resting order = open.get(index);
            if (book.find(order.id) == order) {
                return order;
            }
            open.set(index, open.get(open.size() - 1));
            open.remove(open.size() - 1);
        }
        return null;
    }

    private void cancel(ReferenceBook.Resting order) {
        long clOrdId = ++clOrdIds;
        book.take(order, order.leaves);
        add(new FlowCommand(FlowCommand.Kind.CANCEL, clOrdId, order.clOrdId, order.isBuy, 0, 0), List.of());
    }

    /** Halves what is open and keeps the price: the order keeps its place. */
    private void replace(ReferenceBook.Resting order) {
        long cut = order.leaves / 2;
        if (cut == 0) {
            cancel(order);
            return;
        }
        long clOrdId = ++clOrdIds;
        book.take(order, cut);
        order.total -= cut;
        long origClOrdId = order.clOrdId;
        order.clOrdId = clOrdId;
        add(
                new FlowCommand(FlowCommand.Kind.REPLACE, clOrdId, origClOrdId, order.isBuy, order.price, order.total),
                List.of());
    }

    private void enter(int draw) {
        boolean isBuy = random.nextBoolean();
        long quantity = LOT * (1 + random.nextInt(5) * (long) random.nextInt(5));
        FlowCommand.Kind kind = mix == Mix.ALL_KINDS ? kind(draw) : FlowCommand.Kind.LIMIT;
        long price = kind == FlowCommand.Kind.MARKET ? 0 : price(isBuy);
        long limit = kind != FlowCommand.Kind.MARKET ? price : isBuy ? PRICE_MAX : PRICE_MIN;
        long clOrdId = ++clOrdIds;
        FlowCommand command = new FlowCommand(kind, clOrdId, 0, isBuy, price, quantity);
        if (kind == FlowCommand.Kind.FILL_OR_KILL && book.available(isBuy, limit, quantity) < quantity) {
            add(command, List.of());
            return;
        }
        List<ExpectedTrade> trades = new ArrayList<>();
        long leaves = quantity;
        for (ReferenceBook.Fill fill : book.match(isBuy, limit, quantity)) {
            leaves -= fill.quantity();
            long maker = fill.maker().clOrdId;
            trades.add(
                    new ExpectedTrade(fill.price(), fill.quantity(), isBuy ? clOrdId : maker, isBuy ? maker : clOrdId));
        }
        if (leaves > 0 && kind == FlowCommand.Kind.LIMIT) {
            ReferenceBook.Resting order = new ReferenceBook.Resting(clOrdId, clOrdId, isBuy, price, quantity, leaves);
            book.rest(order);
            open.add(order);
        }
        add(command, trades);
    }

    private static FlowCommand.Kind kind(int draw) {
        if (draw >= 990) {
            return FlowCommand.Kind.MARKET;
        }
        if (draw >= 970) {
            return FlowCommand.Kind.IMMEDIATE_OR_CANCEL;
        }
        return draw >= 960 ? FlowCommand.Kind.FILL_OR_KILL : FlowCommand.Kind.LIMIT;
    }

    /** Draws a price around the opposite best: a third crosses it, the rest is away from it with a falling density. */
    private long price(boolean isBuy) {
        long anchor = book.isEmpty(!isBuy) ? PRICE_START : book.best(!isBuy);
        int draw = random.nextInt(100);
        long behind = draw < 33 ? -random.nextInt(3) : draw < 85 ? 1 + random.nextInt(6) : 6 + random.nextInt(100);
        long price = isBuy ? anchor - behind : anchor + behind;
        return Math.max(PRICE_MIN, Math.min(PRICE_MAX, price));
    }

    private void add(FlowCommand command, List<ExpectedTrade> trades) {
        steps.add(new FlowStep(
                List.of(command), trades, new ExpectedLevels(DEPTH, book.top(true, DEPTH), book.top(false, DEPTH))));
    }
}
