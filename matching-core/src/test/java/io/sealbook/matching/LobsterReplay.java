package io.sealbook.matching;

import io.sealbook.matching.book.LevelSink;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sends a NASDAQ day, as engine commands, through the core and compares the best levels after each message with the
 * recorded book.
 *
 * <pre>
 *   row,NEW,id,side,price,quantity,DAY|IOC     side 1 buy, -1 sell; price in 1/10,000 dollar
 *   row,REDUCE,id,quantity                     becomes a replace, or a cancel when nothing is left
 *   row,CANCEL,id
 *   row,CHECK,askPrice,askQuantity,bidPrice,bidQuantity
 * </pre>
 */
final class LobsterReplay {
    /** A tick is a cent. */
    private static final int TICK = 100;

    private static final int BLOCK_ROWS = 200;
    private static final int BROKER = 1;
    private static final int LEVELS = 10;

    private final CoreDriver driver = new CoreDriver(Markets.two());
    private final MatchingCore core = driver.core;
    private final Map<Long, Batch.Request> live = new HashMap<>();
    private final List<Batch.Request> pending = new ArrayList<>();
    private final BufferedReader books;
    private long lastId = 1L << 62;
    private long batchCount;
    private long bookRow;
    long checkCount;
    long topMatchCount;
    long bookMatchCount;

    /** Replays; {@code books} holds the recorded ten levels, one line per row, or is null. */
    LobsterReplay(BufferedReader flow, BufferedReader books) throws IOException {
        this.books = books;
        core.beginBlock(1, CoreDriver.GENESIS_TIME_NS, driver);
        for (String line = flow.readLine(); line != null; line = flow.readLine()) {
            if (!line.startsWith("#")) {
                onCommand(line.split(","));
            }
        }
        flush();
        core.endBlock();
    }

    MatchingCore core() {
        return core;
    }

    private void onCommand(String[] f) throws IOException {
        switch (f[1]) {
            case "NEW" -> {
                Batch.Request request = Batch.limit(
                        Long.parseLong(f[2]),
                        Markets.GOOG,
                        f[3].equals("1") ? Side.BUY : Side.SELL,
                        Long.parseLong(f[4]) / TICK,
                        Long.parseLong(f[5]),
                        f[6].equals("IOC") ? TimeInForce.IMMEDIATE_OR_CANCEL : TimeInForce.DAY);
                pending.add(request);
                live.put(request.clOrdId(), request);
            }
            case "REDUCE" -> reduce(Long.parseLong(f[2]), Long.parseLong(f[3]));
            case "CANCEL" ->
                pending.add(
                        Batch.cancel(++lastId, live.remove(Long.parseLong(f[2])).clOrdId(), Markets.GOOG));
            case "CHECK" -> check(f);
            default -> throw new IllegalArgumentException("unknown command " + f[1]);
        }
    }

    private void reduce(long id, long quantity) {
        flush();
        Batch.Request now = live.get(id);
        RestingOrder order = core.findOrder(BROKER, now.clOrdId()).orElseThrow();
        if (order.leavesQty() == quantity) {
            pending.add(Batch.cancel(++lastId, now.clOrdId(), Markets.GOOG));
            return;
        }
        Batch.Request replace = Batch.replace(
                ++lastId, now.clOrdId(), Markets.GOOG, now.side(), now.price(), order.quantity() - quantity);
        live.put(id, replace);
        pending.add(replace);
    }

    private void check(String[] f) throws IOException {
        flush();
        long row = Long.parseLong(f[0]);
        checkCount++;
        String[] expected = {f[2], f[3], f[4], f[5]};
        topMatchCount += java.util.Arrays.equals(expected, levels(1)) ? 1 : 0;
        if (books != null) {
            String recorded = null;
            for (; bookRow < row; bookRow++) {
                recorded = books.readLine();
            }
            bookMatchCount += String.join(",", levels(LEVELS)).equals(recorded) ? 1 : 0;
        }
        if (checkCount % BLOCK_ROWS == 0) {
            core.endBlock();
            core.beginBlock(core.lastSequence() + 1, CoreDriver.GENESIS_TIME_NS, driver);
        }
    }

    /**
     * Returns the levels as the recorded book writes them: ask price, ask quantity, bid price, bid quantity, the next
     * level's.
     */
    private String[] levels(int count) {
        String[] cells = new String[4 * count];
        int[] at = {0};
        LevelSink sink = (price, quantity, orderCount) -> {
            cells[at[0]] = Long.toString(price * TICK);
            cells[at[0] + 1] = Long.toString(quantity);
            at[0] += 4;
        };
        core.asks(Markets.GOOG, count, sink);
        at[0] = 2;
        core.bids(Markets.GOOG, count, sink);
        return cells;
    }

    private void flush() {
        if (pending.isEmpty()) {
            return;
        }
        byte[] bytes = new Batch(BROKER, ++batchCount, core.lastSequence(), pending).encode();
        core.onBatch(0, new org.agrona.concurrent.UnsafeBuffer(bytes), 0, bytes.length);
        driver.reports.clear();
        driver.outputs.clear();
        driver.trades.clear();
        driver.blockBytes.reset();
        pending.clear();
    }
}
