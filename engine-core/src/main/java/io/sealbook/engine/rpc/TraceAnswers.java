package io.sealbook.engine.rpc;

import com.google.protobuf.ByteString;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.OrderFields;
import io.sealbook.engine.reports.ReportStore;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.trace.LifeSearch;
import io.sealbook.engine.trace.OrderLife;
import io.sealbook.engine.trace.OrderLife.LifeEvent;
import io.sealbook.engine.trace.OrderLife.ReportedResult;
import io.sealbook.engine.trace.OrderLife.SignedEntry;
import io.sealbook.protocol.v1.OrderTrace;
import io.sealbook.protocol.v1.TraceStep;
import io.sealbook.protocol.v1.TracedEntry;
import io.sealbook.vocabulary.OperatingFailureException;
import java.nio.ByteBuffer;

/** Lives of orders as messages. One thread. */
final class TraceAnswers {
    /** Bytes of report files that a question searches: some millions of reports, about a second. */
    private static final long BYTES_MAX = 256L << 20;

    private final EngineDirectory directory;
    /** Closed reader of the last question: the next one reads only what was appended since. */
    private ArchiveReader last;

    TraceAnswers(EngineDirectory directory) {
        this.directory = directory;
    }

    /**
     * Returns the life of an order.
     *
     * @param store of the broker
     * @param clOrdId unsigned
     * @param block as of whose end; all reports up to it can be read
     */
    OrderTrace of(ReportStore store, long clOrdId, long block) {
        OrderTrace.Builder trace = OrderTrace.newBuilder().setAsOfBlock(block);
        if (!ArchiveReader.hasBlocks(directory.archive())) {
            return trace.build();
        }
        LifeSearch search = new LifeSearch(directory, new LifeSearch.Scope(1, block, BYTES_MAX));
        try (ArchiveReader archive = last == null ? ArchiveReader.open(directory.archive()) : last.later()) {
            last = archive;
            OrderLife life = search.search(archive, store.brokerId(), clOrdId, false);
            life.events().forEach(event -> trace.addSteps(step(event, store)));
            return trace.setComplete(life.isComplete()).build();
        } catch (Throwable failure) {
            // An error, too: the reader may have read half of something.
            last = null;
            throw failure;
        }
    }

    private static TraceStep step(LifeEvent event, ReportStore store) {
        return switch (event) {
            case SignedEntry entry ->
                TraceStep.newBuilder().setEntry(entry(entry.order())).build();
            case ReportedResult result ->
                TraceStep.newBuilder()
                        .setReport(message(store, result.report().reportSequence()))
                        .build();
        };
    }

    private static ByteString message(ReportStore store, long sequence) {
        ByteBuffer bytes = ByteBuffer.allocate(ReportStore.RECORD_LENGTH);
        if (store.read(sequence, bytes) == 0) {
            throw new OperatingFailureException("report " + sequence + " was deleted while it was read");
        }
        return ByteString.copyFrom(bytes.flip());
    }

    private static TracedEntry entry(ArchivedOrder order) {
        OrderFields fields = order.fields();
        return TracedEntry.newBuilder()
                .setBlockSequence(order.place().sequence())
                .setBatchIndex(order.place().batchIndex())
                .setOrderIndex(order.place().orderIndex())
                .setBatchId(ByteString.copyFrom(order.batchId().bytes()))
                .setBlockTimeNs(order.blockTimeNs())
                .setClOrdId(fields.clOrdId())
                .setOrigClOrdId(fields.origClOrdId())
                .setAction(fields.action())
                .setSide(fields.side())
                .setOrdType(fields.ordType())
                .setTimeInForce(fields.timeInForce())
                .setPrice(fields.priceTicks())
                .setQuantity(fields.quantityLots())
                .setAccountId(fields.accountId())
                .setInstrumentId(fields.instrumentId())
                .build();
    }
}
