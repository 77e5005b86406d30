package io.sealbook.perf.flow;

import io.sealbook.perf.flow.FlowStep.ExpectedLevels;
import io.sealbook.perf.flow.FlowStep.ExpectedTrade;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a Shanghai day: the commands of one stock with the exchange's own trades and snapshots between them. Lines,
 * prices in 0.01 yuan, time as hhmmsscc, side 1 buy and -1 sell:
 *
 * <pre>
 *   N,time,security,orderNo,side,price,quantity            new limit order
 *   C,time,security,orderNo,quantityLeft                   cancel
 *   T,time,security,buyNo,sellNo,price,quantity,flag       trade of the N before it, or of the auction (flag N)
 *   U,time,security,price,volume                           call auction uncross
 *   S,time,security,trades,volume,bids|asks                ten levels, price:quantity;...
 *   # ...                                                  a remark
 * </pre>
 *
 * Continuous trading is what is replayed. The opening call is taken from the file: what it left of each order is
 * entered in the orders' own sequence, which fills nothing. From 14:57 on the closing call rules, and the flow ends.
 */
final class ShanghaiFlow {
    static final String REMARK = "#";

    private static final int CLOSING_CALL_TIME = 14_57_00_00;
    private static final int SNAPSHOT_DEPTH = 10;

    private final LinkedHashMap<Long, FlowCommand> calling = new LinkedHashMap<>();
    private final List<FlowStep> steps = new ArrayList<>();
    private final List<ExpectedTrade> trades = new ArrayList<>();
    private final Map<Long, Boolean> isBuyByOrder = new HashMap<>();
    private boolean isUncrossed;
    private boolean isContinuous;
    private FlowCommand pending;
    private ExpectedLevels levels;
    private String security = "";
    private long cancelCount;
    private long priceMin = Long.MAX_VALUE;
    private long priceMax;
    private long quantityMax;

    private ShanghaiFlow() {}

    static boolean looksLike(String firstLine) {
        return firstLine.matches("[NCTUS],\\d+,\\d+,.*");
    }

    static OrderFlow read(Path file) throws IOException {
        ShanghaiFlow flow = new ShanghaiFlow();
        int lineNumber = 0;
        try (BufferedReader reader = FlowFiles.open(file)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lineNumber++;
                if (line.startsWith(REMARK)) {
                    continue;
                }
                String[] fields = line.split(",");
                if (Integer.parseInt(fields[1]) >= CLOSING_CALL_TIME) {
                    break;
                }
                flow.onLine(fields);
            }
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(file + ":" + lineNumber + ": not a Shanghai flow line: " + e.getMessage(), e);
        }
        flow.finishStep();
        return new OrderFlow(
                "Shanghai " + flow.security,
                flow.security,
                2,
                Math.max(1, flow.priceMin / 2),
                flow.priceMax * 2,
                Math.max(1_000_000, flow.quantityMax),
                flow.steps);
    }

    private void onLine(String[] fields) {
        switch (fields[0]) {
            case "N" -> onNew(fields);
            case "C" -> onCancel(Long.parseLong(fields[3]));
            case "T" -> onTrade(fields);
            case "U" -> isUncrossed = true;
            case "S" -> onSnapshot(fields[5]);
            default -> throw new NumberFormatException("row type " + fields[0]);
        }
    }

    private void onNew(String[] fields) {
        security = fields[2];
        long orderNo = Long.parseLong(fields[3]);
        long price = Long.parseLong(fields[5]);
        long quantity = Long.parseLong(fields[6]);
        FlowCommand command =
                new FlowCommand(FlowCommand.Kind.LIMIT, orderNo, 0, fields[4].equals("1"), price, quantity);
        priceMin = Math.min(priceMin, price);
        priceMax = Math.max(priceMax, price);
        quantityMax = Math.max(quantityMax, quantity);
        isBuyByOrder.put(orderNo, command.isBuy());
        if (!isUncrossed) {
            calling.put(orderNo, command);
            return;
        }
        enterRemainderOfCall();
        finishStep();
        pending = command;
    }

    private void onCancel(long orderNo) {
        if (calling.remove(orderNo) != null) {
            return;
        }
        enterRemainderOfCall();
        finishStep();
        // A cancel needs an id that no order of the day carries.
        long clOrdId = (1L << 40) + ++cancelCount;
        boolean isBuy = isBuyByOrder.getOrDefault(orderNo, true);
        pending = new FlowCommand(FlowCommand.Kind.CANCEL, clOrdId, orderNo, isBuy, 0, 0);
    }

    private void onTrade(String[] fields) {
        long buyNo = Long.parseLong(fields[3]);
        long sellNo = Long.parseLong(fields[4]);
        long quantity = Long.parseLong(fields[6]);
        if (fields[7].equals("N")) {
            reduceInCall(buyNo, quantity);
            reduceInCall(sellNo, quantity);
        } else {
            trades.add(new ExpectedTrade(Long.parseLong(fields[5]), quantity, buyNo, sellNo));
        }
    }

    private void onSnapshot(String text) {
        if (pending == null) {
            return;
        }
        String[] sides = text.split("\\|", -1);
        levels = new ExpectedLevels(SNAPSHOT_DEPTH, parseLevels(sides[0]), parseLevels(sides[1]));
    }

    private static long[] parseLevels(String text) {
        if (text.isEmpty()) {
            return new long[0];
        }
        String[] cells = text.split("[;:]");
        long[] levels = new long[cells.length];
        for (int i = 0; i < cells.length; i++) {
            levels[i] = Long.parseLong(cells[i]);
        }
        return levels;
    }

    private void reduceInCall(long orderNo, long quantity) {
        FlowCommand order = calling.get(orderNo);
        if (order == null || order.quantity() < quantity) {
            throw new NumberFormatException("auction trade of " + quantity + " by unknown or smaller order " + orderNo);
        }
        if (order.quantity() == quantity) {
            calling.remove(orderNo);
        } else {
            calling.put(
                    orderNo,
                    new FlowCommand(
                            order.kind(), orderNo, 0, order.isBuy(), order.price(), order.quantity() - quantity));
        }
    }

    private void enterRemainderOfCall() {
        if (isContinuous) {
            return;
        }
        isContinuous = true;
        for (Map.Entry<Long, FlowCommand> entry : calling.entrySet()) {
            steps.add(new FlowStep(List.of(entry.getValue()), List.of(), null));
        }
        calling.clear();
    }

    private void finishStep() {
        if (pending != null) {
            steps.add(new FlowStep(List.of(pending), List.copyOf(trades), levels));
        }
        pending = null;
        levels = null;
        trades.clear();
    }
}
