package io.sealbook.chaos.ledger;

import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.ExecType;
import io.sealbook.protocol.sbe.OrdStatus;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/** A {@link LedgerEntry} as a line: words with a space between them, the kind first, the time second. */
final class LedgerText {
    private static final String START = "start";
    private static final String SUBMIT = "submit";
    private static final String RECEIPT = "receipt";
    private static final String FAILURE = "failure";
    private static final String REPORT = "report";
    private static final int CAUSE_WORDS = 5;

    private LedgerText() {}

    /** Returns the line of an entry, without its end. */
    static String line(LedgerEntry entry) {
        return switch (entry) {
            case LedgerEntry.ProgramStart(long time, int session, long number, long from) ->
                words(START, time, session, number, from);
            case LedgerEntry.SubmittedBatch(long time, int session, long number, List<Order> orders) -> {
                StringJoiner line = new StringJoiner(" ").add(words(SUBMIT, time, session, number));
                orders.forEach(order -> line.add(order(order)));
                yield line.toString();
            }
            case LedgerEntry.Acknowledgement(long time, int session, long number, long block, int index, String hash) ->
                words(RECEIPT, time, session, number, block, index, hash);
            case LedgerEntry.FailedBatch(long time, int session, long number, String cause) ->
                words(FAILURE, time, session, number, cause.replace('\n', ' '));
            case LedgerEntry.SeenReport(long time, ExecutionReport report) -> words(REPORT, time, report(report));
        };
    }

    /**
     * Returns the entry of a line.
     *
     * @throws IllegalArgumentException if it is none
     */
    static LedgerEntry entry(String line) {
        String[] words = line.split(" ");
        try {
            long time = Long.parseLong(words[1]);
            return switch (words[0]) {
                case START ->
                    new LedgerEntry.ProgramStart(time, number(words[2]), Long.parseLong(words[3]), longOf(words[4]));
                case SUBMIT ->
                    new LedgerEntry.SubmittedBatch(time, number(words[2]), Long.parseLong(words[3]), orders(words));
                case RECEIPT ->
                    new LedgerEntry.Acknowledgement(
                            time, number(words[2]), longOf(words[3]), longOf(words[4]), number(words[5]), words[6]);
                case FAILURE ->
                    new LedgerEntry.FailedBatch(
                            time, number(words[2]), longOf(words[3]), line.split(" ", CAUSE_WORDS)[CAUSE_WORDS - 1]);
                case REPORT -> new LedgerEntry.SeenReport(time, report(words, 2));
                default -> throw new IllegalArgumentException("no kind of a ledger's lines: " + words[0]);
            };
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a ledger's line is too short: " + line, e);
        }
    }

    private static String words(Object... words) {
        StringJoiner line = new StringJoiner(" ");
        for (Object word : words) {
            line.add(word.toString());
        }
        return line.toString();
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    private static long longOf(String word) {
        return Long.parseLong(word);
    }

    private static String order(Order order) {
        return order.action()
                + ":"
                + order.clOrdId()
                + ":"
                + order.origClOrdId()
                + ":"
                + order.accountId()
                + ":"
                + order.instrumentId()
                + ":"
                + order.side()
                + ":"
                + order.ordType()
                + ":"
                + order.timeInForce()
                + ":"
                + order.price()
                + ":"
                + order.quantity();
    }

    private static List<Order> orders(String[] words) {
        List<Order> orders = new ArrayList<>(words.length);
        for (int i = 4; i < words.length; i++) {
            String[] fields = words[i].split(":");
            orders.add(new Order(
                    Action.valueOf(fields[0]),
                    longOf(fields[1]),
                    longOf(fields[2]),
                    number(fields[3]),
                    number(fields[4]),
                    Side.valueOf(fields[5]),
                    OrdType.valueOf(fields[6]),
                    TimeInForce.valueOf(fields[7]),
                    longOf(fields[8]),
                    longOf(fields[9])));
        }
        return orders;
    }

    private static String report(ExecutionReport r) {
        return words(
                r.reportSequence(),
                r.blockSequence(),
                r.orderId(),
                r.execId(),
                r.tradeId(),
                r.clOrdId(),
                r.origClOrdId(),
                r.price(),
                r.quantity(),
                r.lastPx(),
                r.lastQty(),
                r.leavesQty(),
                r.cumQty(),
                r.cumValue(),
                r.transactTimeNs(),
                r.brokerId(),
                r.accountId(),
                r.instrumentId(),
                r.batchIndex(),
                r.orderIndex(),
                r.action(),
                r.side(),
                r.ordType(),
                r.timeInForce(),
                r.execType(),
                r.ordStatus(),
                r.rejectReason());
    }

    private static ExecutionReport report(String[] words, int first) {
        int i = first;
        return new ExecutionReport(
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                longOf(words[i++]),
                number(words[i++]),
                number(words[i++]),
                number(words[i++]),
                number(words[i++]),
                number(words[i++]),
                Action.valueOf(words[i++]),
                Side.valueOf(words[i++]),
                OrdType.valueOf(words[i++]),
                TimeInForce.valueOf(words[i++]),
                ExecType.valueOf(words[i++]),
                OrdStatus.valueOf(words[i++]),
                RejectReason.valueOf(words[i]));
    }
}
