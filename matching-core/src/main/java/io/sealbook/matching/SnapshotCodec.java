package io.sealbook.matching;

import io.sealbook.matching.book.OrderBooks;
import io.sealbook.matching.book.OrderStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The canonical bytes of a core between two blocks: cores that will behave alike have equal bytes, whatever lies where in memory.
 *
 * <pre>
 *   length  type    meaning (all little-endian)
 *   8       ASCII   "SBMSNAP1"
 *   4       u32     version, 1
 *   32      bytes   digest of the configuration
 *   72      9 i64   last sequence, last block time, batches, ignored batches, entries, refused entries, last order, trade and exec id
 *   32      bytes   result digest
 *   4       u32     brokers, then for each 4 id, 8 last report sequence; in the order of the configuration
 *   4       u32     seen batches, then for each 8 last valid block, 8 nonce, 4 broker position; by last valid block, then as seen
 *   4       u32     live orders, then for each 48 orderId, clOrdId, price, quantity, leaves, cumValue, 4 instrument position,
 *                   4 broker position, 4 account, 4 attributes; by instrument, buys before sells, in priority order
 *   32      bytes   SHA-256 over all before: the state digest
 * </pre>
 */
final class SnapshotCodec {
    private static final byte[] MAGIC = "SBMSNAP1".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int SEEN_BATCH_LENGTH = 2 * Long.BYTES + Integer.BYTES;
    private static final int ORDER_LENGTH = 6 * Long.BYTES + 4 * Integer.BYTES;
    private static final int ATTRIBUTES = OrderStore.SELL | OrderStore.GOOD_TILL_CANCEL | OrderStore.REPLACED;

    /** Counters of a core that belong to no part of it. */
    record Progress(long sequence, long blockTimeNs, long batchCount, long ignoredBatchCount, long entryCount) {}

    private final MarketConfig config;
    private final OrderBooks books;
    private final SeenBatches seen;
    private final ResultDigest digest;
    private final ReportWriter reports;
    private final EntryHandler handler;

    SnapshotCodec(
            MarketConfig config,
            OrderBooks books,
            SeenBatches seen,
            ResultDigest digest,
            ReportWriter reports,
            EntryHandler handler) {
        this.config = config;
        this.books = books;
        this.seen = seen;
        this.digest = digest;
        this.reports = reports;
        this.handler = handler;
    }

    /** Writes everything and returns the state digest. */
    byte[] write(Progress progress, OutputStream stream) throws IOException {
        SnapshotOutput out = new SnapshotOutput(stream);
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
        byte[] result = new byte[ResultDigest.LENGTH];
        digest.get(result, 0);
        out.putBytes(result);
        writeBrokers(out);
        writeSeenBatches(out, progress.sequence());
        writeOrders(out);
        byte[] stateDigest = out.finish();
        stream.write(stateDigest);
        return stateDigest;
    }

    private void writeBrokers(SnapshotOutput out) throws IOException {
        out.putInt(config.brokers().size());
        for (int broker = 0; broker < config.brokers().size(); broker++) {
            out.putInt(config.brokers().get(broker).brokerId());
            out.putLong(reports.reportSequence(broker));
        }
    }

    private void writeSeenBatches(SnapshotOutput out, long sequence) throws IOException {
        out.putInt(seen.count());
        for (long block = sequence; block <= sequence + config.validityBlocksMax(); block++) {
            for (int entry = seen.first(block); entry != SeenBatches.NONE; entry = seen.next(entry)) {
                out.putLong(block);
                out.putLong(seen.nonce(entry));
                out.putInt(seen.broker(entry));
            }
        }
    }

    private void writeOrders(SnapshotOutput out) throws IOException {
        OrderStore store = books.orders();
        out.putInt(store.count());
        for (int book = 0; book < config.instruments().size(); book++) {
            for (int side = 0; side < 2; side++) {
                for (int slot = books.firstOrder(book, side); slot != OrderStore.NONE; slot = books.nextOrder(slot)) {
                    out.putLong(store.orderId(slot));
                    out.putLong(store.clOrdId(slot));
                    out.putLong(books.price(slot));
                    out.putLong(store.quantity(slot));
                    out.putLong(store.leaves(slot));
                    out.putLong(store.cumValue(slot));
                    out.putInt(book);
                    out.putInt(store.broker(slot));
                    out.putInt(store.account(slot));
                    out.putInt(store.attributes(slot));
                }
            }
        }
    }

    /** Fills the parts of a new core. */
    Progress read(InputStream stream) throws IOException {
        SnapshotInput in = new SnapshotInput(stream);
        check(Arrays.equals(in.getBytes(MAGIC.length), MAGIC), "does not start with SBMSNAP1");
        int version = in.getInt();
        check(version == VERSION, "version " + version + ", expected " + VERSION);
        check(
                Arrays.equals(in.getBytes(ResultDigest.LENGTH), ConfigDigest.of(config)),
                "was written under another configuration");
        Progress progress = new Progress(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
        check(progress.sequence() >= 0, "last sequence " + progress.sequence());
        long refusedCount = in.getLong();
        handler.restore(in.getLong(), refusedCount);
        long lastTradeId = in.getLong();
        reports.restore(in.getLong(), lastTradeId);
        digest.set(in.getBytes(ResultDigest.LENGTH), 0);
        readBrokers(in);
        readSeenBatches(in, progress.sequence());
        readOrders(in);
        in.finish();
        return progress;
    }

    private void readBrokers(SnapshotInput in) throws IOException {
        int count = in.getInt();
        check(
                count == config.brokers().size(),
                count + " brokers, expected " + config.brokers().size());
        for (int broker = 0; broker < count; broker++) {
            int brokerId = in.getInt();
            check(brokerId == config.brokers().get(broker).brokerId(), "broker " + broker + " has id " + brokerId);
            reports.restoreReportSequence(broker, in.getLong());
        }
    }

    private void readSeenBatches(SnapshotInput in, long sequence) throws IOException {
        int count = in.getInt();
        check(0 <= count && count <= config.seenBatchCountMax(), count + " seen batches");
        for (int i = 0; i < count; i++) {
            ByteBuffer batch = in.next(SEEN_BATCH_LENGTH);
            long validUntilBlock = batch.getLong();
            long nonce = batch.getLong();
            int broker = batch.getInt();
            check(
                    sequence <= validUntilBlock && validUntilBlock - sequence <= config.validityBlocksMax(),
                    "a batch seen before block " + sequence + " is valid until block " + validUntilBlock);
            check(isBroker(broker), "broker position " + broker);
            check(!seen.contains(broker, nonce), "nonce " + nonce + " stands twice");
            seen.add(broker, nonce, validUntilBlock);
        }
    }

    private void readOrders(SnapshotInput in) throws IOException {
        int count = in.getInt();
        check(0 <= count && count <= config.liveOrderCountMax(), count + " live orders");
        for (int i = 0; i < count; i++) {
            readOrder(in.next(ORDER_LENGTH));
        }
    }

    private void readOrder(ByteBuffer in) throws SnapshotException {
        long orderId = in.getLong();
        long clOrdId = in.getLong();
        long price = in.getLong();
        long quantity = in.getLong();
        long leaves = in.getLong();
        long cumValue = in.getLong();
        int book = in.getInt();
        int broker = in.getInt();
        int account = in.getInt();
        int attributes = in.getInt();
        String name = "order " + orderId;
        check(0 <= book && book < config.instruments().size(), name + ": instrument position " + book);
        check(isBroker(broker), name + ": broker position " + broker);
        InstrumentConfig instrument = config.instruments().get(book);
        check(instrument.priceMin() <= price && price <= instrument.priceMax(), name + ": price " + price);
        check(0 < quantity && quantity <= instrument.quantityMax(), name + ": quantity " + quantity);
        check(0 < leaves && leaves <= quantity, name + ": leaves " + leaves + " of " + quantity);
        check((attributes & ~ATTRIBUTES) == 0, name + ": attributes " + attributes);
        check(books.find(broker, clOrdId) == OrderStore.NONE, name + ": ClOrdID " + clOrdId + " stands twice");
        books.enter(book, price, orderId, broker, clOrdId, account, quantity, leaves, cumValue, attributes);
    }

    private boolean isBroker(int position) {
        return 0 <= position && position < config.brokers().size();
    }

    private static void check(boolean condition, String fact) throws SnapshotException {
        if (!condition) {
            throw new SnapshotException(fact);
        }
    }
}
