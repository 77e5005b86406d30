package io.sealbook.perf.flow;

import io.sealbook.perf.flow.FlowStep.ExpectedTrade;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A day of a market that does not exist, in the format of a Shanghai flow file: free to use and to publish, with the
 * trades, the quantities left at cancels and the snapshots that a {@link ReferenceBook} computes.
 *
 * <p>The entries are {@link SyntheticFlow}'s limit orders and cancels; the opening call is empty; entries come from
 * 9:30 on, a tenth of a second apart on average; every fifty entries a snapshot follows.
 */
final class SampleDay {
    private static final String SECURITY = "1";
    private static final int ENTRIES_A_SNAPSHOT = 50;
    /** Entries beyond it would reach the closing call, which no reader replays. */
    static final int ENTRIES_MAX = 150_000;

    private static final int OPENING_CENTISECONDS = (9 * 60 + 30) * 60 * 100;
    private static final int GAP_CENTISECONDS_MAX = 20;

    private final SplittableRandom clock;
    private final List<String> rows = new ArrayList<>();
    private final Map<Long, Long> leaves = new HashMap<>();
    private int centiseconds = OPENING_CENTISECONDS;
    private long tradeCount;
    private long volume;

    private SampleDay(long seed) {
        clock = new SplittableRandom(~seed);
    }

    /**
     * Returns the rows of a day; the same arguments give the same rows.
     *
     * @param seed any number
     * @param entries orders and cancels, at most {@link #ENTRIES_MAX}
     */
    static List<String> rows(long seed, int entries) {
        if (entries < 1 || entries > ENTRIES_MAX) {
            throw new IllegalArgumentException("a day has 1 to " + ENTRIES_MAX + " entries, not " + entries);
        }
        SampleDay day = new SampleDay(seed);
        day.rows.add("# A market that does not exist: perf.jar sample --seed " + seed + " --entries " + entries);
        day.rows.add("U,9250000," + SECURITY + ",0,0");
        OrderFlow flow = SyntheticFlow.generate("SAMPLE", seed, entries, SyntheticFlow.Mix.LIMITS_AND_CANCELS);
        for (int i = 0; i < entries; i++) {
            day.add(flow.steps().get(i));
            if ((i + 1) % ENTRIES_A_SNAPSHOT == 0) {
                day.addSnapshot(flow.steps().get(i).levels());
            }
        }
        return day.rows;
    }

    private void add(FlowStep step) {
        centiseconds += clock.nextInt(GAP_CENTISECONDS_MAX);
        FlowCommand command = step.commands().get(0);
        if (command.kind() == FlowCommand.Kind.CANCEL) {
            row("C", command.origClOrdId(), leaves.remove(command.origClOrdId()));
            return;
        }
        leaves.put(command.clOrdId(), command.quantity());
        row("N", command.clOrdId(), command.isBuy() ? 1 : -1, command.price(), command.quantity());
        for (ExpectedTrade trade : step.trades()) {
            tradeCount++;
            volume += trade.quantity();
            leaves.merge(trade.buyClOrdId(), -trade.quantity(), Long::sum);
            leaves.merge(trade.sellClOrdId(), -trade.quantity(), Long::sum);
            rows.add("T," + time() + "," + SECURITY + "," + trade.buyClOrdId() + "," + trade.sellClOrdId() + ","
                    + trade.price() + "," + trade.quantity() + "," + (command.isBuy() ? "B" : "S"));
        }
    }

    private void addSnapshot(FlowStep.ExpectedLevels levels) {
        rows.add("S," + time() + "," + SECURITY + "," + tradeCount + "," + volume + "," + side(levels.bids()) + "|"
                + side(levels.asks()));
    }

    private void row(String type, long... fields) {
        StringBuilder row = new StringBuilder(type + "," + time() + "," + SECURITY);
        for (long field : fields) {
            row.append(',').append(field);
        }
        rows.add(row.toString());
    }

    /** Returns hhmmsscc without a leading zero. */
    private String time() {
        int seconds = centiseconds / 100;
        int time = (seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60) * 100 + centiseconds % 100;
        return Integer.toString(time);
    }

    private static String side(long[] levels) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < levels.length; i += 2) {
            text.append(i == 0 ? "" : ";").append(levels[i]).append(':').append(levels[i + 1]);
        }
        return text.toString();
    }
}
