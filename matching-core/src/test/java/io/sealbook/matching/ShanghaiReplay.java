package io.sealbook.matching;

import io.sealbook.protocol.sbe.Side;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends a Shanghai day's continuous trading through the core and compares every trade and every ten-level snapshot with
 * the exchange's own. The opening auction's result is taken from the file: its trades reduce the orders gathered before
 * it, which are then entered in their order. The closing call (from 14:57) is left out.
 *
 * <pre>
 *   N,time,security,orderNo,side,price,quantity   side 1 buy, -1 sell; time hhmmsscc; price in 0.01 yuan
 *   C,time,security,orderNo,quantityLeft
 *   T,time,security,buyNo,sellNo,price,quantity,flag   the exchange's trade, after the N or U that makes it
 *   U,time,security,price,volume                  the opening auction
 *   S,time,security,trades,volume,price:quantity;...|price:quantity;...   bids | asks
 * </pre>
 */
final class ShanghaiReplay {
    private static final long CLOSING_CALL = 14_57_00_00;
    private static final int SECURITY = 600519;
    private static final int BROKER = 1;
    private static final int BLOCK_COMMANDS = 500;
    private static final int LEVELS = 10;

    private record Resting(Side side, long price, long quantity) {}

    private final CoreDriver driver = new CoreDriver(MarketConfig.of(
            Batch.CHAIN_ID,
            List.of(new InstrumentConfig(SECURITY, "600519", 2, 5_000, 210_000, 10_000_000, true)),
            List.of(BrokerConfig.of(BROKER)),
            64,
            10_000));
    private final MatchingCore core = driver.core;
    private final Map<Long, Resting> gathered = new LinkedHashMap<>();
    private final Queue<TradeRecord> made = new ArrayDeque<>();
    private boolean isContinuous;
    private boolean isAuction;
    private long commandCount;
    private long lastNumber;
    private long lastCancelId = 1L << 62;
    long tradeCount;
    long tradeMatchCount;
    long surplusTradeCount;
    long cancelCount;
    long cancelMatchCount;
    long snapshotCount;
    long snapshotMatchCount;

    ShanghaiReplay(BufferedReader flow) throws IOException {
        core.beginBlock(1, CoreDriver.GENESIS_TIME_NS, driver);
        for (String line = flow.readLine(); line != null; line = flow.readLine()) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] f = line.split(",");
            if (Long.parseLong(f[1]) >= CLOSING_CALL) {
                break;
            }
            onLine(f);
        }
        surplusTradeCount += made.size();
        core.endBlock();
    }

    MatchingCore core() {
        return core;
    }

    private void onLine(String[] f) {
        if (isAuction && !f[0].equals("T")) {
            isAuction = false;
            isContinuous = true;
            gathered.forEach(this::enter);
            gathered.clear();
        }
        switch (f[0]) {
            case "N" ->
                onNew(Long.parseLong(f[3]), new Resting(side(f[4]), Long.parseLong(f[5]), Long.parseLong(f[6])));
            case "C" -> onCancel(Long.parseLong(f[3]), Long.parseLong(f[4]));
            case "T" -> onTrade(f);
            case "U" -> isAuction = true;
            case "S" -> onSnapshot(f[5]);
            default -> throw new IllegalArgumentException("unknown line " + f[0]);
        }
    }

    private static Side side(String text) {
        return text.equals("1") ? Side.BUY : Side.SELL;
    }

    private void onNew(long orderNo, Resting order) {
        if (isContinuous) {
            enter(orderNo, order);
        } else {
            gathered.put(orderNo, order);
        }
    }

    private void enter(long orderNo, Resting order) {
        send(Batch.limit(orderNo, SECURITY, order.side(), order.price(), order.quantity()));
    }

    private void onCancel(long orderNo, long quantityLeft) {
        if (!isContinuous) {
            gathered.remove(orderNo);
            return;
        }
        cancelCount++;
        long left = core.findOrder(BROKER, orderNo).map(RestingOrder::leavesQty).orElse(0L);
        cancelMatchCount += left == quantityLeft ? 1 : 0;
        send(Batch.cancel(++lastCancelId, orderNo, SECURITY));
    }

    private void onTrade(String[] f) {
        long buyNo = Long.parseLong(f[3]);
        long sellNo = Long.parseLong(f[4]);
        long quantity = Long.parseLong(f[6]);
        if (isAuction) {
            reduce(buyNo, quantity);
            reduce(sellNo, quantity);
            return;
        }
        tradeCount++;
        TradeRecord trade = made.poll();
        boolean isEqual = trade != null
                && trade.buyClOrdId() == buyNo
                && trade.sellClOrdId() == sellNo
                && trade.price() == Long.parseLong(f[5])
                && trade.quantity() == quantity
                && trade.aggressorSide().value() == (f[7].equals("B") ? '1' : '2');
        tradeMatchCount += isEqual ? 1 : 0;
    }

    private void reduce(long orderNo, long quantity) {
        gathered.compute(
                orderNo,
                (no, order) -> order.quantity() == quantity
                        ? null
                        : new Resting(order.side(), order.price(), order.quantity() - quantity));
    }

    private void onSnapshot(String levels) {
        snapshotCount++;
        List<String> bids = new ArrayList<>();
        List<String> asks = new ArrayList<>();
        core.bids(SECURITY, LEVELS, (price, quantity, count) -> bids.add(price + ":" + quantity));
        core.asks(SECURITY, LEVELS, (price, quantity, count) -> asks.add(price + ":" + quantity));
        String own = String.join(";", bids) + "|" + String.join(";", asks);
        snapshotMatchCount += own.equals(levels) ? 1 : 0;
    }

    private void send(Batch.Request request) {
        surplusTradeCount += made.size();
        made.clear();
        if (++commandCount % BLOCK_COMMANDS == 0) {
            core.endBlock();
            core.beginBlock(core.lastSequence() + 1, CoreDriver.GENESIS_TIME_NS, driver);
        }
        byte[] bytes =
                Batch.of(BROKER, ++lastNumber, core.lastSequence(), request).encode();
        core.onBatch(0, new UnsafeBuffer(bytes), 0, bytes.length);
        made.addAll(driver.trades);
        driver.reports.clear();
        driver.outputs.clear();
        driver.trades.clear();
        driver.blockBytes.reset();
    }
}
