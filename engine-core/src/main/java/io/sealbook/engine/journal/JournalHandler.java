package io.sealbook.engine.journal;

import com.lmax.disruptor.EventHandler;
import io.sealbook.engine.output.OutputConsumer;
import io.sealbook.engine.output.OutputFrame;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Durability;

/**
 * The ring stage that remembers: every frame goes to the journal, every run of results to its broker's store, every
 * message to the consumer, and a snapshot is written once the files and the consumer have what belongs to it.
 */
public final class JournalHandler implements EventHandler<OutputFrame>, OutputMessages.Visitor {
    private final ExecutionJournal journal;
    private final ReportStores reports;
    private final OutputConsumer consumer;
    private final Durability durability;
    private final OutputMessages messages = new OutputMessages();
    private boolean isFlushDue;

    /**
     * Makes the stage; it closes nothing that it is given.
     *
     * @param journal gets every frame
     * @param reports get every run
     * @param consumer gets every message and the end of every block, before the files are flushed
     * @param durability whether files are forced to disk before a snapshot counts
     */
    public JournalHandler(
            ExecutionJournal journal, ReportStores reports, OutputConsumer consumer, Durability durability) {
        this.journal = journal;
        this.reports = reports;
        this.consumer = consumer;
        this.durability = durability;
    }

    @Override
    public void onEvent(OutputFrame frame, long sequence, boolean isEndOfBatch) {
        journal.append(frame);
        messages.forEach(frame.bytes(), frame.length(), frame.firstIndex(), this);
        frame.forEachRun(reports::append);
        if (frame.isLast()) {
            consumer.onBlockEnd(frame.blockEnd());
            reports.endBlock();
        }
        boolean isMoreDue = frame.isLast() && !frame.blockEnd().afterBlock().isEmpty();
        isFlushDue |= isEndOfBatch || isMoreDue;
        // Between blocks: a reader by block gets whole ones.
        if (isFlushDue && frame.isLast()) {
            isFlushDue = false;
            // The journal last: a block that it announces has its reports.
            reports.flush(frame.blockSequence());
            journal.flush();
        }
        if (isMoreDue) {
            if (durability.isDisk()) {
                journal.sync();
                reports.sync();
            }
            frame.blockEnd().afterBlock().forEach(Runnable::run);
        }
    }

    @Override
    public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
        // The journal holds it; the stores have the run that it is made from.
        consumer.onReport(index, report, bytes, offset);
    }

    @Override
    public void onTrade(int index, TradeDecoder trade) {
        // The journal holds it, too; brokers learn of a trade by its two reports.
        consumer.onTrade(index, trade);
    }
}
