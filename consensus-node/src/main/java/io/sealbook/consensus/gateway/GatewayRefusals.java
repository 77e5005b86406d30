package io.sealbook.consensus.gateway;

import io.sealbook.access.RefusalLog;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what the gateway refuses because of a limit, and logs a few lines of it. Any thread; no method waits. */
public final class GatewayRefusals {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayRefusals.class);

    private final Runnable onConnection;
    private final Runnable onRead;
    private final Runnable onRate;
    private final RefusalLog connections;
    private final RefusalLog reads;
    private final RefusalLog rates;

    /**
     * Makes a log without a refusal.
     *
     * @param owner first words of each line: the process
     * @param metrics what the names of the counters begin with, as a scraper sees them
     * @param onConnection counts a connection that was closed; must not wait
     * @param onRead counts a call that was refused; must not wait
     * @param onRate counts a call or message of a caller that was too fast; must not wait
     */
    public GatewayRefusals(String owner, String metrics, Runnable onConnection, Runnable onRead, Runnable onRate) {
        this.onConnection = onConnection;
        this.onRead = onRead;
        this.onRate = onRate;
        BiConsumer<Runnable, Integer> timer =
                (task, delayMs) -> CompletableFuture.delayedExecutor(delayMs, TimeUnit.MILLISECONDS)
                        .execute(task);
        this.connections =
                new RefusalLog(owner + ": gateway", metrics + "_refused_connections_total", LOG::warn, timer);
        this.reads =
                new RefusalLog(owner + ": a call at the gateway,", metrics + "_refused_reads_total", LOG::warn, timer);
        this.rates =
                new RefusalLog(owner + ": a call at the gateway,", metrics + "_refused_rates_total", LOG::warn, timer);
    }

    void connection(InetSocketAddress remote, String reason) {
        onConnection.run();
        connections.refused(remote, reason);
    }

    void read(InetSocketAddress remote, String reason) {
        onRead.run();
        reads.refused(remote, reason);
    }

    void rate(InetSocketAddress remote, String reason) {
        onRate.run();
        rates.refused(remote, reason);
    }
}
