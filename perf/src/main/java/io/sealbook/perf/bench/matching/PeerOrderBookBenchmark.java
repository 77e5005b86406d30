package io.sealbook.perf.bench.matching;

import exchange.core2.collections.objpool.ObjectsPool;
import exchange.core2.core.common.CoreSymbolSpecification;
import exchange.core2.core.common.IOrder;
import exchange.core2.core.common.MatcherEventType;
import exchange.core2.core.common.MatcherTradeEvent;
import exchange.core2.core.common.OrderAction;
import exchange.core2.core.common.OrderType;
import exchange.core2.core.common.SymbolType;
import exchange.core2.core.common.cmd.CommandResultCode;
import exchange.core2.core.common.cmd.OrderCommand;
import exchange.core2.core.common.cmd.OrderCommandType;
import exchange.core2.core.common.config.LoggingConfiguration;
import exchange.core2.core.orderbook.IOrderBook;
import exchange.core2.core.orderbook.OrderBookDirectImpl;
import exchange.core2.core.orderbook.OrderBookEventsHelper;
import io.sealbook.perf.flow.FlowCommand.Kind;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * exchange-core's direct order book on the messages of {@link OrderBookBenchmark}, one operation a message again, its
 * trades checked alike. A replace is its cancel and a new order; it has no market order and gives a reduced order no
 * new id, so the flows are those without. Its reports are event objects, which are given back after every message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class PeerOrderBookBenchmark {
    @Param({MessageSource.SAMPLE, MessageSource.SHANGHAI, MessageSource.BOOKS_2000})
    public String flow;

    private final OrderCommand command = new OrderCommand();
    private Messages messages;
    private IOrderBook[] books;
    private ObjectsPool pool;
    private MatcherTradeEvent spare;
    private OrderBookEventsHelper events;
    private long expected;
    private long checksum;

    @Setup
    public void load() throws IOException {
        messages = MessageSource.named(flow, OrderBookBenchmark.MESSAGES);
        expected = TradeChecksum.expected(messages);
        Map<Integer, Integer> sizes = new HashMap<>();
        sizes.put(ObjectsPool.DIRECT_ORDER, 1 << 16);
        sizes.put(ObjectsPool.DIRECT_BUCKET, 1 << 14);
        sizes.put(ObjectsPool.ART_NODE_4, 1 << 14);
        sizes.put(ObjectsPool.ART_NODE_16, 1 << 12);
        sizes.put(ObjectsPool.ART_NODE_48, 1 << 12);
        sizes.put(ObjectsPool.ART_NODE_256, 1 << 12);
        pool = new ObjectsPool(sizes);
        events = new OrderBookEventsHelper(this::takeEvent);
        books = new IOrderBook[messages.instruments.size()];
        command.uid = 1;
    }

    /** New books every time, made outside of what is measured. */
    @Setup(Level.Invocation)
    public void empty() {
        for (int book = 0; book < books.length; book++) {
            books[book] = new OrderBookDirectImpl(
                    CoreSymbolSpecification.builder()
                            .symbolId(book)
                            .type(SymbolType.CURRENCY_EXCHANGE_PAIR)
                            .baseScaleK(1)
                            .quoteScaleK(1)
                            .build(),
                    pool,
                    events,
                    LoggingConfiguration.DEFAULT);
        }
        checksum = 0;
    }

    @Benchmark
    @OperationsPerInvocation(OrderBookBenchmark.MESSAGES)
    public long execute() {
        for (int i = 0; i < OrderBookBenchmark.MESSAGES; i++) {
            execute(i);
        }
        if (checksum != expected) {
            throw new IllegalStateException("trades have the checksum " + checksum + ", expected " + expected);
        }
        return checksum;
    }

    private void execute(int i) {
        Kind kind = messages.kind[i];
        IOrderBook book = books[messages.book[i]];
        switch (kind) {
            case LIMIT -> enter(book, i, OrderType.GTC, messages.quantity[i]);
            case IMMEDIATE_OR_CANCEL -> enter(book, i, OrderType.IOC, messages.quantity[i]);
            case CANCEL -> cancel(book, messages.originalId[i]);
            case REPLACE -> replace(book, i);
            default -> throw new IllegalStateException(kind + " has no counterpart");
        }
    }

    private void replace(IOrderBook book, int i) {
        IOrder order = book.getOrderById(messages.originalId[i]);
        if (order == null || messages.quantity[i] <= order.getFilled()) {
            return;
        }
        long left = messages.quantity[i] - order.getFilled();
        cancel(book, messages.originalId[i]);
        enter(book, i, OrderType.GTC, left);
    }

    private void cancel(IOrderBook book, long id) {
        command.command = OrderCommandType.CANCEL_ORDER;
        command.orderId = id;
        IOrderBook.processCommand(book, command);
        giveBackEvents();
    }

    private void enter(IOrderBook book, int i, OrderType type, long quantity) {
        command.command = OrderCommandType.PLACE_ORDER;
        command.orderId = messages.id[i];
        command.symbol = messages.book[i];
        command.price = messages.price[i];
        command.reserveBidPrice = messages.price[i];
        command.size = quantity;
        command.action = messages.isBuy[i] ? OrderAction.BID : OrderAction.ASK;
        command.orderType = type;
        command.resultCode = CommandResultCode.VALID_FOR_MATCHING_ENGINE;
        IOrderBook.processCommand(book, command);
        giveBackEvents();
    }

    private MatcherTradeEvent takeEvent() {
        MatcherTradeEvent event = spare;
        if (event == null) {
            return new MatcherTradeEvent();
        }
        spare = event.nextEvent;
        event.nextEvent = null;
        return event;
    }

    private void giveBackEvents() {
        MatcherTradeEvent event = command.matcherEvent;
        while (event != null) {
            if (event.eventType == MatcherEventType.TRADE) {
                checksum = TradeChecksum.add(checksum, event.matchedOrderId, event.price, event.size);
            }
            MatcherTradeEvent next = event.nextEvent;
            event.nextEvent = spare;
            spare = event;
            event = next;
        }
        command.matcherEvent = null;
    }
}
