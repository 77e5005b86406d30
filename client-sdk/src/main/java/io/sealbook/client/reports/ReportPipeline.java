package io.sealbook.client.reports;

import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineEvents;
import io.sealbook.client.connection.EngineLink;
import io.sealbook.client.metrics.ClientCounters;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The path from engines to the listener, wired. */
public final class ReportPipeline {
    private final ReportConfig config;
    private final ClientLoop loop;
    private final ReportDispatcher dispatcher;
    private final ReportMerger merger;

    /**
     * Wires the stages; nothing runs before {@link #start}.
     *
     * @param name prefix of the thread's name
     * @param config which reports, and to whom
     * @param loop on which reports are merged
     * @param counters delivered, ignored and missing reports are counted there
     */
    public ReportPipeline(String name, ReportConfig config, ClientLoop loop, ClientCounters counters) {
        this(name, config, loop, counters, ReportMerger.BLOCK_BYTES_MAX);
    }

    /** Tests let a block be long sooner. */
    ReportPipeline(String name, ReportConfig config, ClientLoop loop, ClientCounters counters, long blockBytesMax) {
        this.config = config;
        this.loop = loop;
        this.dispatcher = new ReportDispatcher(name + "-reports", config, counters);
        this.merger = new ReportMerger(config, loop, dispatcher, counters, blockBytesMax);
    }

    /** Returns what the links of this pipeline report to. */
    public EngineEvents events() {
        return merger;
    }

    /**
     * Begins to follow engines.
     *
     * @param links one for each engine that is asked, in the order of nodes; engines come and go at its end
     * @return completed when it is known with which report the delivery begins, and those before it are checkpointed
     */
    public CompletableFuture<Void> start(List<EngineLink> links) {
        CompletableFuture<Long> known = new CompletableFuture<>();
        CompletableFuture<Void> begun = known.thenAccept(this::onBegun);
        dispatcher.start(() -> loop.execute(merger::resume), () -> loop.execute(merger::stop));
        loop.execute(() -> merger.start(links, known));
        return begun;
    }

    /** The next start goes on from here, though no report may come until then. */
    private void onBegun(long first) {
        if (config.firstReport() == ReportConfig.FROM_NOW && first > 1) {
            config.checkpointer().ifPresent(each -> each.handled(first - 1));
        }
    }

    /** Fails when engines do not keep the next report any more, and nothing more will be delivered. */
    public CompletableFuture<Void> lost() {
        return merger.lost();
    }

    /** Follows an engine, too, whose link is the last one now; loop thread. */
    public void added(EngineLink link) {
        merger.added(link);
    }

    /** Forgets an engine, whose link was the last one; loop thread. */
    public void removed(EngineLink link) {
        merger.removed(link);
    }

    /** Forgets what an engine has vouched for, because another machine is the node now; loop thread. */
    public void replaced(EngineLink link) {
        merger.replaced(link);
    }

    /** Delivers what is agreed already, for at most the given time. */
    public void close(long timeoutNs) throws InterruptedException {
        dispatcher.close(timeoutNs);
    }
}
