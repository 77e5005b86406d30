package io.sealbook.client.reports;

import io.sealbook.client.Checkpointer;
import io.sealbook.client.ClientCounters;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineEvents;
import io.sealbook.client.connection.EngineLink;
import java.util.List;
import java.util.Optional;

/** The path from engines to the listener, wired. */
public final class ReportPipeline {
    private final ClientLoop loop;
    private final ReportDispatcher dispatcher;
    private final ReportMerger merger;

    /**
     * Wires the stages; nothing runs before {@link #start}.
     *
     * @param needed how many engines must send the same bytes
     * @param queueMax agreed reports that may wait for the listener
     */
    public ReportPipeline(
            String name,
            ExecutionReportListener listener,
            Optional<Checkpointer> checkpointer,
            int queueMax,
            int brokerId,
            int nodeCount,
            long firstReport,
            int needed,
            ClientLoop loop,
            ClientCounters counters) {
        this.loop = loop;
        this.dispatcher = new ReportDispatcher(name + "-reports", listener, checkpointer, queueMax, counters);
        this.merger = new ReportMerger(brokerId, nodeCount, firstReport, needed, dispatcher, counters);
    }

    /** Returns what the links of this pipeline report to. */
    public EngineEvents events() {
        return merger;
    }

    public void start(List<EngineLink> links) {
        dispatcher.start(() -> loop.execute(merger::resume), () -> loop.execute(merger::stop));
        loop.execute(() -> merger.start(links));
    }

    /** Delivers what is agreed already, for at most the given time. */
    public void close(long timeoutNs) throws InterruptedException {
        dispatcher.close(timeoutNs);
    }
}
