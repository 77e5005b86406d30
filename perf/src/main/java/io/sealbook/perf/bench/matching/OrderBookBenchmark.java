package io.sealbook.perf.bench.matching;

import io.sealbook.matching.InstrumentConfig;
import io.sealbook.matching.book.BookOrder;
import io.sealbook.matching.book.FillSink;
import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.perf.flow.FlowCommand.Kind;
import java.io.IOException;
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
 * The order books alone. One operation is one message (new, cancel, replace) with all its fills, no report encoded.
 * Every call goes through the first 40,000 messages of the flow from empty books and checks every trade.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g", "-XX:+UseSerialGC"})
public class OrderBookBenchmark implements FillSink {
    static final int MESSAGES = 40_000;

    @Param({MessageSource.SAMPLE, MessageSource.SHANGHAI, MessageSource.NASDAQ, MessageSource.BOOKS_2000})
    public String flow;

    private final BookOrder order = new BookOrder();
    private Messages messages;
    private OrderBooks books;
    private OrderStore orders;
    private long expected;
    private long checksum;

    @Setup
    public void load() throws IOException {
        messages = MessageSource.named(flow, MESSAGES);
        expected = TradeChecksum.expected(messages);
        books = new OrderBooks(
                messages.instruments.stream().map(InstrumentConfig::prices).toList(), 1, 1 << 20, 0);
        orders = books.orders();
    }

    @Setup(Level.Invocation)
    public void empty() {
        for (int book = 0; book < messages.instruments.size(); book++) {
            for (int side = 0; side < 2; side++) {
                for (int slot = books.firstOrder(book, side);
                        slot != OrderStore.NONE;
                        slot = books.firstOrder(book, side)) {
                    books.remove(slot);
                }
            }
        }
        checksum = 0;
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long execute() {
        for (int i = 0; i < MESSAGES; i++) {
            execute(i);
        }
        if (checksum != expected) {
            throw new IllegalStateException("trades have the checksum " + checksum + ", expected " + expected);
        }
        return checksum;
    }

    private void execute(int i) {
        Messages m = messages;
        Kind kind = m.kind[i];
        int book = m.book[i];
        if (kind == Kind.CANCEL || kind == Kind.REPLACE) {
            int slot = books.find(0, m.originalId[i]);
            if (slot == OrderStore.NONE) {
                return;
            }
            if (kind == Kind.CANCEL) {
                books.remove(slot);
            } else {
                replace(i, slot);
            }
            return;
        }
        int side = m.isBuy[i] ? 0 : 1;
        long quantity = m.quantity[i];
        long limit = m.price[i];
        if (kind == Kind.MARKET) {
            limit = side == 0
                    ? m.instruments.get(book).priceMax()
                    : m.instruments.get(book).priceMin();
        }
        if (kind == Kind.FILL_OR_KILL && !books.canFill(book, side, limit, quantity)) {
            return;
        }
        long left = books.match(book, side, limit, quantity, this);
        if (left > 0 && kind == Kind.LIMIT) {
            enter(i, book, limit, left, side);
        }
    }

    private void replace(int i, int slot) {
        Messages m = messages;
        int book = m.book[i];
        long filled = orders.quantity(slot) - orders.leaves(slot);
        long quantity = m.quantity[i];
        if (quantity <= filled) {
            return;
        }
        boolean keepsPlace = m.price[i] == books.price(slot)
                && quantity <= orders.quantity(slot)
                && m.instruments.get(book).reduceKeepsPriority();
        int side = orders.side(slot);
        if (keepsPlace) {
            books.reduce(slot, m.id[i], quantity, side);
            return;
        }
        books.remove(slot);
        long left = books.match(book, side, m.price[i], quantity - filled, this);
        if (left > 0) {
            enter(i, book, m.price[i], left, side);
        }
    }

    private void enter(int i, int book, long price, long left, int side) {
        BookOrder entering = order;
        entering.orderId = i;
        entering.clOrdId = messages.id[i];
        entering.price = price;
        entering.quantity = messages.quantity[i];
        entering.leaves = left;
        entering.book = book;
        entering.attributes = side;
        books.enter(entering);
    }

    @Override
    public void onFill(int slot, long price, long quantity) {
        checksum = TradeChecksum.add(checksum, orders.clOrdId(slot), price, quantity);
    }
}
