package io.sealbook.engine.ledger;

import io.sealbook.engine.reports.ReportStore;
import io.sealbook.protocol.report.Position;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What the reports of one broker come to: the last report on each order that rests, and positions. Reports are read
 * when a question needs them, each once. It goes forward only: it answers as of the block that was asked for, or a
 * later one if an earlier question went there and the broker had reports in between. It takes heap from a
 * {@link LedgerRoom}, and answers nothing any more once it had to give that up. Not thread-safe.
 */
public final class BrokerLedger {
    /** Reports that one question reads at most: about a second. */
    public static final int REPORTS_PER_QUESTION = 1 << 20;

    /** Heap of an order: its report with the headers of arrays, entries and keys. */
    static final int ORDER_BYTES = ReportStore.RECORD_LENGTH + 16 + 40 + 24;

    /** Heap of the position of an account in an instrument. */
    static final int POSITION_BYTES = 24 + 40 + 48;

    private static final int CHUNK = 1_024;

    private final ReportStore store;
    private final LedgerRoom room;
    private final int readMax;
    private final TreeMap<Long, byte[]> open = new TreeMap<>(Long::compareUnsigned);
    private final TreeMap<Key, Position> positions =
            new TreeMap<>(Comparator.comparing(Key::accountId, Integer::compareUnsigned)
                    .thenComparing(Key::instrumentId, Integer::compareUnsigned));
    private long next = 1;
    /** Of the last report that was added. */
    private long lastBlock;
    /** All reports up to this block were added. */
    private long throughBlock;

    private long bytes;
    /** Why it answers nothing any more; null while it does. */
    private String givenUp;

    private record Key(int accountId, int instrumentId) {}

    /** The answer needs more reading, or reports that are no longer kept: the service refuses the question with it. */
    public static final class NotReadyException extends OperatingFailureException {
        private static final long serialVersionUID = 1;
        private final boolean isRetryable;

        NotReadyException(String fact, boolean isRetryable) {
            super(fact);
            this.isRetryable = isRetryable;
        }

        /** Returns whether the next question finds more. */
        public boolean isRetryable() {
            return isRetryable;
        }
    }

    /**
     * Makes an empty ledger of the broker of a store.
     *
     * @param store stays the caller's
     * @param room from which it takes heap
     */
    public BrokerLedger(ReportStore store, LedgerRoom room) {
        this(store, room, REPORTS_PER_QUESTION);
    }

    /** As above, with the number of reports that one question reads at most. */
    BrokerLedger(ReportStore store, LedgerRoom room, int readMax) {
        this.store = store;
        this.room = room;
        this.readMax = readMax;
        room.enter(this);
    }

    int brokerId() {
        return store.brokerId();
    }

    long bytes() {
        return bytes;
    }

    void grow(long difference) {
        bytes += difference;
    }

    void giveUp(String fact) {
        givenUp = fact;
        bytes = 0;
        open.clear();
        positions.clear();
    }

    private void requireRoom() {
        if (givenUp != null) {
            throw new NotReadyException(givenUp, false);
        }
    }

    /**
     * Adds reports up to the end of a block.
     *
     * @param block whose reports can all be read
     * @return the block as of which the ledger is now
     * @throws NotReadyException if that takes another question, reports are missing, or there is no room; what was
     *     added stays
     */
    public long advance(long block) {
        requireRoom();
        long endOfRead = next + readMax;
        // A question that ended early may have left off within a block.
        long end = Math.max(block, lastBlock);
        ByteBuffer bytes = ByteBuffer.allocate(CHUNK * ReportStore.RECORD_LENGTH);
        while (throughBlock < end) {
            if (next > store.last() || !add(bytes, end)) {
                throughBlock = end;
            } else if (next >= endOfRead) {
                throw new NotReadyException(
                        "reports up to " + (next - 1) + " of " + store.last() + " are added up", true);
            }
        }
        return Math.max(block, lastBlock);
    }

    /** Adds a chunk; returns false at the first report of a later block. */
    private boolean add(ByteBuffer bytes, long block) {
        bytes.clear();
        int count = next < store.first() ? 0 : store.read(next, bytes);
        if (count == 0) {
            throw new NotReadyException(
                    "reports are kept from " + store.first() + " on, the sum of all needs those from " + next, false);
        }
        UnsafeBuffer records = new UnsafeBuffer(bytes);
        ExecutionReportDecoder report = new ExecutionReportDecoder();
        MessageHeaderDecoder header = new MessageHeaderDecoder();
        for (int i = 0; i < count; i++) {
            int at = i * ReportStore.RECORD_LENGTH;
            report.wrapAndApplyHeader(records, at, header);
            if (report.blockSequence() > block) {
                return false;
            }
            add(report, bytes.array(), at);
            lastBlock = report.blockSequence();
            next++;
        }
        return true;
    }

    private void add(ExecutionReportDecoder report, byte[] bytes, int at) {
        ExecType type = report.execType();
        if (type == ExecType.REJECTED || type == ExecType.CANCEL_REJECT || type == ExecType.MASS_CANCEL_REPORT) {
            return;
        }
        if (type == ExecType.TRADE) {
            Key key = new Key((int) report.accountId(), (int) report.instrumentId());
            Position before = positions.get(key);
            if (before == null) {
                take(POSITION_BYTES);
                before = Position.NONE;
            }
            positions.put(key, before.plus((byte) report.sideRaw(), report.lastPx(), report.lastQty()));
        }
        if (report.leavesQty() == 0) {
            if (open.remove(report.orderId()) != null) {
                room.release(this, ORDER_BYTES);
            }
        } else if (open.put(report.orderId(), Arrays.copyOfRange(bytes, at, at + ReportStore.RECORD_LENGTH)) == null) {
            take(ORDER_BYTES);
        }
    }

    private void take(int count) {
        room.take(this, count);
        requireRoom();
    }

    /** Returns the last report that was added; 0 if there is none. */
    public long reportSequence() {
        return next - 1;
    }

    /** Returns the last report on each order that rests, by OrderID; a view, of use until the next question. */
    public NavigableMap<Long, byte[]> openOrders() {
        return open;
    }

    /** Returns the positions of an account by instrument, in ascending order. */
    public Map<Integer, Position> positions(int accountId) {
        Map<Integer, Position> ofAccount = new TreeMap<>(Integer::compareUnsigned);
        positions
                .subMap(new Key(accountId, 0), true, new Key(accountId, -1), true)
                .forEach((key, position) -> ofAccount.put(key.instrumentId(), position));
        return ofAccount;
    }
}
