package io.sealbook.engine.query;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sealbook.engine.http.RequestCallers;
import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.ExecutedBlock;
import io.sealbook.engine.monitor.RecentFigures;
import io.sealbook.engine.monitor.Totals;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.tls.role.Caller;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The blocks that this engine has executed, and its rate and latency. */
@RestController
class EngineController {
    private final EngineMonitor monitor;
    private final EngineTls tls;

    EngineController(EngineMonitor monitor, EngineTls tls) {
        this.monitor = monitor;
        this.tls = tls;
    }

    /**
     * @param latencyMs see {@link RecentFigures#latencyMs(ExecutedBlock)}
     * @param resultDigest null, and left out, for callers that do not read everything: with the one before it, it shows
     *     whether a guess of the block's results is right (decision 96)
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
            @JsonInclude(JsonInclude.Include.NON_NULL) String resultDigest) {
        static BlockView of(ExecutedBlock block, boolean hasDigest) {
            return new BlockView(
                    block.sequence(),
                    block.blockTimeNs(),
                    block.executedTimeNs(),
                    RecentFigures.latencyMs(block),
                    block.executionNs(),
                    block.batchCount(),
                    block.orderCount(),
                    block.tradeCount(),
                    block.reportCount(),
                    block.rejectCount(),
                    block.hash().hex(),
                    hasDigest ? block.resultDigest().hex() : null);
        }
    }

    /**
     * @param obstacle why the next block, which was handed over, cannot be executed; null if it can, or none was
     * @param wrongResult in which result the engine differs from the others after its last rebuild; null if in none
     * @param membership executed administrative transactions
     * @param ordersPerSecond over the recent blocks, by this engine's clock
     * @param latencyMsMedian over the recent blocks; null before the first
     */
    record StatusView(
            String phase,
            String failure,
            String obstacle,
            String wrongResult,
            long lastExecuted,
            String resultDigest,
            long batches,
            long orders,
            long trades,
            long reports,
            Map<String, Long> rejects,
            long membership,
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
        RecentFigures figures = new RecentFigures(monitor.recentBlocks(EngineMonitor.RECENT_BLOCKS));
        return new StatusView(
                monitor.phase().name(),
                monitor.failure().map(EngineMonitor::reasonOf).orElse(null),
                monitor.obstacle().orElse(null),
                monitor.wrongResult().orElse(null),
                monitor.lastExecuted(),
                monitor.resultDigest().hex(),
                totals.batches(),
                totals.orders(),
                totals.trades(),
                totals.reports(),
                rejects(totals),
                monitor.membership(),
                monitor.lastSnapshot(),
                monitor.persistedBlock(),
                monitor.databaseFailure().map(EngineMonitor::reasonOf).orElse(null),
                figures.ordersPerSecond(),
                figures.blocksPerSecond(),
                orNull(figures.latencyMs(50)),
                orNull(figures.latencyMs(99)));
    }

    /** Returns the last blocks that this process has executed, newest first. */
    @GetMapping("/api/blocks")
    List<BlockView> blocks(@RequestParam(defaultValue = "20") int limit) {
        if (limit < 1 || limit > EngineMonitor.RECENT_BLOCKS) {
            throw Requests.badRequest("limit is " + limit + ", expected 1.." + EngineMonitor.RECENT_BLOCKS);
        }
        boolean hasDigests = readsEverything();
        return monitor.recentBlocks(limit).stream()
                .map(block -> BlockView.of(block, hasDigests))
                .toList();
    }

    /** Without TLS no caller has a role, and each reads everything. */
    private boolean readsEverything() {
        return tls.identity().isEmpty()
                || RequestCallers.present() instanceof Caller caller && caller.readsEverything();
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

    /** JSON shows null where there is no figure. */
    private static Double orNull(OptionalDouble figure) {
        return figure.isPresent() ? figure.getAsDouble() : null;
    }
}
