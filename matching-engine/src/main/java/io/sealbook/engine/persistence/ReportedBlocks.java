package io.sealbook.engine.persistence;

import io.sealbook.engine.output.OutputMessages;
import io.sealbook.engine.reports.ReportSearch;
import io.sealbook.engine.reports.ReportStores;
import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.protocol.sbe.TradeEncoder;
import java.util.Iterator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The outputs of blocks, made again from the reports of all brokers: the same messages as in the journal, in the same
 * order. A trade is its two fills, of which the incoming order's comes first. One run of reports of each broker is in
 * memory, however many a block has. One thread.
 */
final class ReportedBlocks {
    private final ReportStores stores;
    private final long last;
    private long position;

    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ExecutionReportDecoder report = new ExecutionReportDecoder();
    private final ExecutionReportDecoder incoming = new ExecutionReportDecoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OutputMessages.TRADE_LENGTH]);
    private final TradeEncoder encoder = new TradeEncoder();
    private final TradeDecoder trade = new TradeDecoder();

    /**
     * Makes a reader of the blocks {@code after + 1 .. last}.
     *
     * @param stores have the reports of these blocks, or had them; stay the caller's
     * @param after the block before the first
     * @param last block that is read
     */
    ReportedBlocks(ReportStores stores, long after, long last) {
        this.stores = stores;
        this.position = after;
        this.last = last;
    }

    /**
     * Visits the outputs of the next block.
     *
     * @return number of messages, or -1 after the last block
     * @throws ReportSearch.NotKeptException if some of its reports are no longer kept; the block was not visited, or
     *     not as a whole, if they have just been deleted
     */
    int next(OutputMessages.Visitor visitor) {
        if (position == last) {
            return -1;
        }
        Iterator<byte[]> reports =
                new ReportSearch(stores, Long.MAX_VALUE).ofBlock(position + 1).iterator();
        int count = 0;
        boolean isIncoming = true;
        while (reports.hasNext()) {
            byte[] message = reports.next();
            report.wrapAndApplyHeader(new UnsafeBuffer(message), 0, header);
            visitor.onReport(count++, report, message, 0);
            if (report.tradeId() != 0) {
                if (isIncoming) {
                    incoming.wrapAndApplyHeader(new UnsafeBuffer(message), 0, header);
                } else {
                    encodeTrade();
                    visitor.onTrade(count++, trade);
                }
                isIncoming = !isIncoming;
            }
        }
        position++;
        return count;
    }

    private void encodeTrade() {
        boolean isBuy = incoming.side() == Side.BUY;
        ExecutionReportDecoder buy = isBuy ? incoming : report;
        ExecutionReportDecoder sell = isBuy ? report : incoming;
        encoder.wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .tradeId(report.tradeId())
                .blockSequence(report.blockSequence())
                .buyOrderId(buy.orderId())
                .sellOrderId(sell.orderId())
                .buyClOrdId(buy.clOrdId())
                .sellClOrdId(sell.clOrdId())
                .price(report.lastPx())
                .quantity(report.lastQty())
                .tradeTimeNs(report.transactTimeNs())
                .instrumentId(report.instrumentId())
                .buyBrokerId(buy.brokerId())
                .sellBrokerId(sell.brokerId())
                .buyAccountId(buy.accountId())
                .sellAccountId(sell.accountId())
                .aggressorSide(isBuy ? AggressorSide.BUY : AggressorSide.SELL);
        trade.wrapAndApplyHeader(buffer, 0, header);
    }
}
