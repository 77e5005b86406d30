package io.sealbook.engine.query;

import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.protocol.sbe.RejectReason;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What this engine has executed and how fast. */
@RestController
class EngineController {
    private static final double NS_PER_SECOND = 1e9;
    private static final double NS_PER_MS = 1e6;

    private final EngineMonitor monitor;

    EngineController(EngineMonitor monitor) {
        this.monitor = monitor;
    }

    /**
     * @param latencyMs from the block's agreed time to its execution here; it contains agreement, transport and the difference of clocks
     */
    record BlockView(
            long sequence,
            long blockTimeNs,
            long executedTimeNs,
            double latencyMs,
            long executionNs,
            int batches,
            int orders,
            int trades,
            int reports,
            int rejects,
            String hash,
            String resultDigest) {
        static BlockView of(ExecutedBlock block) {
            return new BlockView(
                    block.sequence(),
                    block.blockTimeNs(),
                    block.executedTimeNs(),
                    latencyMsOf(block),
                    block.executionNs(),
                    block.batchCount(),
                    block.orderCount(),
                    block.tradeCount(),
                    block.reportCount(),
                    block.rejectCount(),
                    HexFormat.of().formatHex(block.hash()),
                    HexFormat.of().formatHex(block.resultDigest()));
        }
    }

    /**
     * @param ordersPerSecond over the recent blocks, by this engine's clock
     * @param latencyMsMedian over the recent blocks; null before the first
     */
    record StatusView(
            String phase,
            String failure,
            long lastExecuted,
            String resultDigest,
            long batches,
            long orders,
            long trades,
            long reports,
            Map<String, Long> rejects,
            long lastSnapshot,
            long persistedBlock,
            String databaseFailure,
            double ordersPerSecond,
            double blocksPerSecond,
            Double latencyMsMedian,
            Double latencyMs99) {}

    @GetMapping("/api/status")
    StatusView status() {
        Totals totals = monitor.totals();
        List<ExecutedBlock> blocks = monitor.recentBlocks(EngineMonitor.RECENT_BLOCKS);
        List<Double> latencies = blocks.stream()
                .map(EngineController::latencyMsOf)
                .sorted(Comparator.naturalOrder())
                .toList();
        return new StatusView(
                monitor.phase().name(),
                monitor.failure().map(Throwable::getMessage).orElse(null),
                monitor.lastExecuted(),
                HexFormat.of().formatHex(monitor.resultDigest()),
                totals.batches(),
                totals.orders(),
                totals.trades(),
                totals.reports(),
                rejects(totals),
                monitor.lastSnapshot(),
                monitor.persistedBlock(),
                monitor.databaseFailure().map(Throwable::getMessage).orElse(null),
                perSecond(blocks, true),
                perSecond(blocks, false),
                percentile(latencies, 50),
                percentile(latencies, 99));
    }

    /** Returns the last blocks that this process has executed, newest first. */
    @GetMapping("/api/blocks")
    List<BlockView> blocks(@RequestParam(defaultValue = "20") int limit) {
        if (limit < 1 || limit > EngineMonitor.RECENT_BLOCKS) {
            throw Requests.badRequest("limit is " + limit + ", expected 1.." + EngineMonitor.RECENT_BLOCKS);
        }
        return monitor.recentBlocks(limit).stream().map(BlockView::of).toList();
    }

    private static double latencyMsOf(ExecutedBlock block) {
        return (block.executedTimeNs() - block.blockTimeNs()) / NS_PER_MS;
    }

    private static Map<String, Long> rejects(Totals totals) {
        Map<String, Long> rejects = new TreeMap<>();
        for (RejectReason reason : RejectReason.values()) {
            if (reason != RejectReason.NULL_VAL && totals.rejected(reason) > 0) {
                rejects.put(reason.name(), totals.rejected(reason));
            }
        }
        return rejects;
    }

    /** The oldest block only marks where the stretch begins. */
    private static double perSecond(List<ExecutedBlock> blocks, boolean isOrders) {
        if (blocks.size() < 2) {
            return 0;
        }
        long sum = 0;
        for (ExecutedBlock block : blocks.subList(0, blocks.size() - 1)) {
            sum += isOrders ? block.orderCount() : 1;
        }
        long ns = blocks.getFirst().executedTimeNs() - blocks.getLast().executedTimeNs();
        return ns <= 0 ? 0 : sum * NS_PER_SECOND / ns;
    }

    private static Double percentile(List<Double> sorted, int percent) {
        return sorted.isEmpty() ? null : sorted.get((sorted.size() - 1) * percent / 100);
    }
}
