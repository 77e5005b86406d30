package io.sealbook.matching;

import io.sealbook.matching.book.BookOrder;
import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderRestore;
import io.sealbook.matching.book.OrderStore;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The bytes of a core between two blocks.
 *
 * <pre>
 *   length  type    meaning (all little-endian)
 *   8       ASCII   "SBMSNAP1"
 *   4       u32     version, 9
 *   32      bytes   digest of the configuration
 *   72      9 i64   last sequence, last block time, batches, ignored batches, entries, refused entries,
 *                   last order, trade and exec id
 *   32      bytes   result digest
 *   4       u32     brokers, then for each 4 id, 8 last report sequence, 8 and 8 when its charged orders and bytes are
 *                   paid for; in the order of the configuration
 *   4       u32     sessions, then for each 8 number of its last executed batch, 4 cancel-after, 8 its deadline; by
 *                   broker in the order of the configuration, then by session
 *   4       u32     pending mass cancels, then for each 4 broker position, 4 reason, 8 clOrdId, 4 kind, 4 account,
 *                   4 instrument, 8 scope, 8 session, 8 last order id, 8 count, 4 passes left; by broker, as they began
 *   12      u32 i64 place of the pass: 2 x instrument position + side, next order id (0: the side's first, -1: none)
 *   4       u32     live orders, then for each 4 slot, 4 slot of the order before it at its price, 0 for the first;
 *                   48 orderId, clOrdId, price, quantity, leaves, cumValue,
 *                   4 instrument position, 4 broker position, 4 account, 2 attributes, 2 session;
 *                   in any order
 *   32      bytes   SHA-256 over all before
 * </pre>
 *
 * <p>The state digest is SHA-256 over the same without slots, with the orders by instrument, buys before sells, in
 * priority order: cores that will behave alike have equal ones, whatever lies where in memory.
 */
final class SnapshotCodec {
    private static final byte[] MAGIC = "SBMSNAP1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 9;
    private static final int ORDER_LENGTH = 6 * Long.BYTES + 6 * Integer.BYTES;
    private static final int SESSION_SHIFT = 16;
    private static final int SESSION_MASK = (1 << SESSION_SHIFT) - 1;
    private static final int ATTRIBUTES = OrderStore.SELL | OrderStore.GOOD_TILL_CANCEL | OrderStore.REPLACED;

    /** Counters of a core that belong to no part of it. */
    record Progress(long sequence, long blockTimeNs, long batchCount, long ignoredBatchCount, long entryCount) {}

    private final MarketConfig config;
    private final OrderBooks books;
    private final SessionNumbers numbers;
    private final ResultDigest digest;
    private final ReportWriter reports;
    private final EntryHandler handler;
    private final SessionRequests requests;
    private final BrokerRates rates;
    private final BookOrder order = new BookOrder();

    SnapshotCodec(
            MarketConfig config,
            OrderBooks books,
            SessionNumbers numbers,
            ResultDigest digest,
            ReportWriter reports,
            EntryHandler handler,
            SessionRequests requests,
            BrokerRates rates) {
        this.config = config;
        this.books = books;
        this.numbers = numbers;
        this.digest = digest;
        this.reports = reports;
        this.handler = handler;
        this.requests = requests;
        this.rates = rates;
    }

    /** Returns the state digest. */
    byte[] digest(Progress progress) throws IOException {
        SnapshotOutput out = new SnapshotOutput(OutputStream.nullOutputStream());
        writeHead(progress, out);
        writeOrders(out);
        return out.finish();
    }

    /** Writes everything up to the number of live orders. */
    void writeHead(Progress progress, SnapshotOutput out) throws IOException {
        out.putBytes(MAGIC);
        out.putInt(VERSION);
        out.putBytes(ConfigDigest.of(config));
        out.putLong(progress.sequence());
        out.putLong(progress.blockTimeNs());
        out.putLong(progress.batchCount());
        out.putLong(progress.ignoredBatchCount());
        out.putLong(progress.entryCount());
        out.putLong(handler.refusedCount());
        out.putLong(handler.lastOrderId());
        out.putLong(reports.lastTradeId());
        out.putLong(reports.lastExecId());
        out.putBytes(digest.value().bytes());
        writeBrokers(out);
        writeSessions(out);
        new MassCancelCodec(config, books, requests.massCancels()).write(out);
        out.putInt(books.orders().count());
    }

    private void writeBrokers(SnapshotOutput out) throws IOException {
        out.putInt(config.brokers().size());
        for (int broker = 0; broker < config.brokers().size(); broker++) {
            out.putInt(config.brokers().get(broker).brokerId());
            out.putLong(reports.reportSequence(broker));
            out.putLong(rates.meter(broker).ordersPaidAtNs());
            out.putLong(rates.meter(broker).bytesPaidAtNs());
        }
    }

    private void writeSessions(SnapshotOutput out) throws IOException {
        out.putInt(numbers.count());
        for (int session = 0; session < numbers.count(); session++) {
            out.putLong(numbers.last(session));
            out.putInt(requests.cancelAfter().units(session));
            out.putLong(requests.cancelAfter().deadline(session));
        }
    }

    private void writeOrders(SnapshotOutput out) throws IOException {
        for (int book = 0; book < config.instruments().size(); book++) {
            for (int side = 0; side < 2; side++) {
                for (int slot = books.firstOrder(book, side); slot != OrderStore.NONE; slot = books.nextOrder(slot)) {
                    writeOrder(slot, out);
                }
            }
        }
    }

    /**
     * Writes the record of a captured order.
     *
     * @param slot of the order
     * @param previous slot of the order before it at its price
     */
    void writeOrder(int slot, int previous, SnapshotOutput out) throws IOException {
        out.putInt(slot);
        out.putInt(previous);
        writeOrder(slot, out);
    }

    private void writeOrder(int slot, SnapshotOutput out) throws IOException {
        BookOrder written = order;
        books.load(slot, written);
        out.putLong(written.orderId);
        out.putLong(written.clOrdId);
        out.putLong(written.price);
        out.putLong(written.quantity);
        out.putLong(written.leaves);
        out.putLong(written.cumValue);
        out.putInt(written.book);
        out.putInt(written.broker);
        out.putInt(written.account);
        out.putInt(written.attributes | written.session << SESSION_SHIFT);
    }

    /** Fills the parts of a new core. */
    Progress read(InputStream stream) throws IOException {
        SnapshotInput in = new SnapshotInput(stream);
        SnapshotException.unless(Arrays.equals(in.getBytes(MAGIC.length), MAGIC), "does not start with SBMSNAP1");
        int version = in.getInt();
        SnapshotException.unless(version == VERSION, "version " + version + ", expected " + VERSION);
        SnapshotException.unless(
                Arrays.equals(in.getBytes(Digest.LENGTH), ConfigDigest.of(config)),
                "was written under another configuration");
        Progress progress = new Progress(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
        SnapshotException.unless(progress.sequence() >= 0, "last sequence " + progress.sequence());
        long refusedCount = in.getLong();
        handler.restore(in.getLong(), refusedCount);
        long lastTradeId = in.getLong();
        reports.restore(in.getLong(), lastTradeId);
        digest.restore(Digest.of(in.getBytes(Digest.LENGTH)));
        readBrokers(in);
        readSessions(in);
        MassCancelCodec massCancels = new MassCancelCodec(config, books, requests.massCancels());
        massCancels.read(in);
        readOrders(in);
        massCancels.finish();
        in.finish();
        return progress;
    }

    private void readBrokers(SnapshotInput in) throws IOException {
        int count = in.getInt();
        SnapshotException.unless(
                count == config.brokers().size(),
                count + " brokers, expected " + config.brokers().size());
        for (int broker = 0; broker < count; broker++) {
            int brokerId = in.getInt();
            SnapshotException.unless(
                    brokerId == config.brokers().get(broker).brokerId(), "broker " + broker + " has id " + brokerId);
            reports.restoreReportSequence(broker, in.getLong());
            rates.meter(broker).restore(in.getLong(), in.getLong());
        }
    }

    private void readSessions(SnapshotInput in) throws IOException {
        int count = in.getInt();
        SnapshotException.unless(count == numbers.count(), count + " sessions, expected " + numbers.count());
        for (int session = 0; session < count; session++) {
            numbers.onExecuted(session, in.getLong());
            int units = in.getInt();
            SnapshotException.unless(CancelAfter.isTime(units), "cancel-after of " + units + " units");
            requests.cancelAfter().restore(session, units, in.getLong());
        }
    }

    private void readOrders(SnapshotInput in) throws IOException {
        int count = in.getInt();
        SnapshotException.unless(0 <= count && count <= config.liveOrderCountMax(), count + " live orders");
        OrderRestore orders = books.restore();
        for (int i = 0; i < count; i++) {
            readOrder(in.next(ORDER_LENGTH), orders);
        }
        String fault = orders.finish();
        SnapshotException.unless(fault.isEmpty(), fault);
    }

    private void readOrder(ByteBuffer in, OrderRestore orders) throws SnapshotException {
        int slot = in.getInt();
        int previous = in.getInt();
        BookOrder read = order;
        read.orderId = in.getLong();
        read.clOrdId = in.getLong();
        read.price = in.getLong();
        read.quantity = in.getLong();
        read.leaves = in.getLong();
        read.cumValue = in.getLong();
        read.book = in.getInt();
        read.broker = in.getInt();
        read.account = in.getInt();
        int attributes = in.getInt();
        read.attributes = attributes & SESSION_MASK;
        read.session = attributes >>> SESSION_SHIFT;
        String fault = orders.isFree(slot) ? faultOf(read) : "slot " + slot;
        if (!fault.isEmpty()) {
            throw new SnapshotException("order " + read.orderId + ": " + fault);
        }
        orders.put(slot, previous, read);
    }

    /** Returns what is wrong with an order, in words that are put together only then; empty when nothing is. */
    private String faultOf(BookOrder read) {
        if (read.book < 0 || read.book >= config.instruments().size()) {
            return "instrument position " + read.book;
        }
        InstrumentConfig instrument = config.instruments().get(read.book);
        if (!isBroker(read.broker)) {
            return "broker position " + read.broker;
        }
        if (read.price < instrument.priceMin() || read.price > instrument.priceMax()) {
            return "price " + read.price;
        }
        if (read.quantity <= 0 || read.quantity > instrument.quantityMax()) {
            return "quantity " + read.quantity;
        }
        if (read.leaves <= 0 || read.leaves > read.quantity) {
            return "leaves " + read.leaves + " of " + read.quantity;
        }
        if ((read.attributes & ~ATTRIBUTES) != 0) {
            return "attributes " + read.attributes;
        }
        if (read.session >= config.sessionsPerBroker()) {
            return "session " + read.session;
        }
        return books.find(read.broker, read.clOrdId) == OrderStore.NONE
                ? ""
                : "ClOrdID " + read.clOrdId + " occurs twice";
    }

    private boolean isBroker(int position) {
        return 0 <= position && position < config.brokers().size();
    }
}
