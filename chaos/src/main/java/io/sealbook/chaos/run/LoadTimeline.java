package io.sealbook.chaos.run;

import io.sealbook.chaos.broker.SeededOrders;
import io.sealbook.chaos.fault.FaultEvent;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.history.BatchName;
import io.sealbook.chaos.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** When brokers had their receipts: throughput before, during and after the faults, and recovery from each. */
final class LoadTimeline {
    /**
     * A batch with its first receipt.
     *
     * @param timeNs of the receipt
     * @param block that holds the batch
     * @param orders of the batch
     */
    record Acknowledged(long timeNs, long block, int orders) {}

    /**
     * Recovery from the faults of a kind.
     *
     * @param faults of this kind
     * @param medianMs of the times, ms
     * @param p99Ms of the times, ms
     * @param worstMs of the times, ms
     */
    record Recovery(int faults, double medianMs, double p99Ms, double worstMs) {}

    private final List<Acknowledged> acknowledged;
    private final List<FaultEvent> events;
    private final long beginNs;
    private final long endNs;

    /**
     * @param ledgers of all brokers
     * @param events faults in their order; those that have taken effect count
     * @param beginNs begin of the faults
     * @param endNs end of the faults
     */
    LoadTimeline(Map<Integer, List<List<LedgerEntry>>> ledgers, List<FaultEvent> events, long beginNs, long endNs) {
        this.acknowledged = acknowledged(ledgers);
        this.events = events.stream().filter(FaultEvent::hasTakenEffect).toList();
        this.beginNs = beginNs;
        this.endNs = endNs;
    }

    /** Returns each acknowledged batch once, with its first receipt, in the order of time. */
    static List<Acknowledged> acknowledged(Map<Integer, List<List<LedgerEntry>>> ledgers) {
        List<Acknowledged> all = new ArrayList<>();
        ledgers.forEach((broker, runs) -> {
            Set<BatchName> seen = new HashSet<>();
            runs.forEach(run -> run.forEach(entry -> {
                if (entry instanceof LedgerEntry.Acknowledgement receipt
                        && seen.add(new BatchName(broker, receipt.session(), receipt.number()))) {
                    all.add(new Acknowledged(receipt.timeNs(), receipt.block(), SeededOrders.ORDERS_PER_BATCH));
                }
            }));
        });
        all.sort(Comparator.comparingLong(Acknowledged::timeNs));
        return all;
    }

    double ordersPerSecondBefore() {
        return acknowledged.isEmpty() ? 0 : rate(acknowledged.get(0).timeNs(), beginNs);
    }

    double ordersPerSecondDuring() {
        return rate(beginNs, endNs);
    }

    double ordersPerSecondAfter() {
        return acknowledged.isEmpty()
                ? 0
                : rate(endNs, acknowledged.get(acknowledged.size() - 1).timeNs());
    }

    /**
     * Returns the throughput while a member lied, as a share of that without faults, by the target of the fault; for
     * several faults of a target it is that of all their time. Without faults is before or after them, whichever had
     * more: at first the programs are cold. Empty if no orders came then.
     */
    Map<String, Double> sharesUnderLies() {
        double faultFree = Math.max(ordersPerSecondBefore(), ordersPerSecondAfter());
        if (faultFree == 0) {
            return Map.of();
        }
        Map<String, List<FaultEvent>> byTarget = events.stream()
                .filter(event -> event.kind() == FaultKind.BYZANTINE)
                .collect(Collectors.groupingBy(FaultEvent::target, TreeMap::new, Collectors.toList()));
        Map<String, Double> shares = new TreeMap<>();
        byTarget.forEach((target, lies) -> {
            double orders = 0;
            double seconds = 0;
            for (FaultEvent lie : lies) {
                double lasted = (lie.healedNs() - lie.injectedNs()) / 1e9;
                orders += rate(lie.injectedNs(), lie.healedNs()) * lasted;
                seconds += lasted;
            }
            shares.put(target, orders / seconds / faultFree);
        });
        return shares;
    }

    private double rate(long fromNs, long toNs) {
        long orders = acknowledged.stream()
                .filter(each -> each.timeNs() >= fromNs && each.timeNs() < toNs)
                .mapToLong(Acknowledged::orders)
                .sum();
        return toNs <= fromNs ? 0 : orders * 1e9 / (toNs - fromNs);
    }

    /**
     * Returns the times from the faults of each kind to the next committed block of which a broker had a receipt. The
     * next block is one that begins after those of which a broker had a receipt when the fault struck.
     */
    Map<FaultKind, Recovery> toNextBlock() {
        Map<FaultKind, List<Double>> times = new EnumMap<>(FaultKind.class);
        for (FaultEvent event : events) {
            long last = acknowledged.stream()
                    .takeWhile(each -> each.timeNs() <= event.injectedNs())
                    .mapToLong(Acknowledged::block)
                    .max()
                    .orElse(0);
            acknowledged.stream()
                    .filter(each -> each.timeNs() > event.injectedNs() && each.block() > last)
                    .findFirst()
                    .ifPresent(next -> add(times, event.kind(), next.timeNs() - event.injectedNs()));
        }
        return summarize(times);
    }

    /** Returns the longest times without a receipt between each fault and its end, or the next receipt after that. */
    Map<FaultKind, Recovery> longestGaps() {
        Map<FaultKind, List<Double>> times = new EnumMap<>(FaultKind.class);
        for (FaultEvent event : events) {
            long untilNs = Math.max(event.healedNs(), event.readyNs());
            long lastNs = event.injectedNs();
            long longestNs = 0;
            for (Acknowledged each : acknowledged) {
                if (each.timeNs() > event.injectedNs()) {
                    longestNs = Math.max(longestNs, each.timeNs() - lastNs);
                    lastNs = each.timeNs();
                }
                if (each.timeNs() > untilNs) {
                    break;
                }
            }
            add(times, event.kind(), longestNs);
        }
        return summarize(times);
    }

    private static void add(Map<FaultKind, List<Double>> times, FaultKind kind, long timeNs) {
        times.computeIfAbsent(kind, none -> new ArrayList<>()).add(timeNs / 1e6);
    }

    private static Map<FaultKind, Recovery> summarize(Map<FaultKind, List<Double>> times) {
        Map<FaultKind, Recovery> summary = new EnumMap<>(FaultKind.class);
        times.forEach((kind, values) -> {
            values.sort(Comparator.naturalOrder());
            summary.put(
                    kind,
                    new Recovery(
                            values.size(),
                            values.get((values.size() - 1) / 2),
                            values.get((int) Math.ceil(values.size() * 0.99) - 1),
                            values.get(values.size() - 1)));
        });
        return summary;
    }
}
