package io.sealbook.engine.output;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import java.util.List;

/** Several consumers as one: each takes every output, one consumer after the other. */
public final class OutputConsumers implements OutputConsumer {
    private final List<OutputConsumer> all;
    private final List<OutputConsumer> reportReaders;

    /** @param consumers in the order in which they take an output; they stay the caller's */
    public OutputConsumers(List<? extends OutputConsumer> consumers) {
        this.all = List.copyOf(consumers);
        this.reportReaders = all.stream().filter(OutputConsumer::readsReports).toList();
    }

    @Override
    public boolean readsReports() {
        return !reportReaders.isEmpty();
    }

    @Override
    public void onBegin(long afterBlock, boolean areReplaced) {
        for (OutputConsumer consumer : all) {
            consumer.onBegin(afterBlock, areReplaced);
        }
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
        for (OutputConsumer consumer : reportReaders) {
            consumer.onReport(index, report, bytes, offset);
        }
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        for (OutputConsumer consumer : all) {
            consumer.onTrade(index, trade);
        }
    }

    @Override
    public void onBlockEnd(BlockEnd end) {
        for (OutputConsumer consumer : all) {
            consumer.onBlockEnd(end);
        }
    }
}
