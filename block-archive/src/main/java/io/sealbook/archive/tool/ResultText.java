package io.sealbook.archive.tool;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.result.TradeFields;
import io.sealbook.archive.result.TradeFields.TradeSide;
import io.sealbook.vocabulary.result.ResultLeaf;
import java.io.PrintWriter;

/** Reports and trades as people read them, one fact per line: names of fields and values are those of FIX. */
final class ResultText {
    private static final long NO_BATCH = 0xFFFF_FFFFL;

    private ResultText() {}

    /** Prints a message of a result tree. */
    static void print(PrintWriter out, ResultLeaf.Kind kind, byte[] message) {
        switch (kind) {
            case REPORT -> print(out, ReportFields.of(message));
            case TRADE -> print(out, TradeFields.of(message));
        }
    }

    private static void print(PrintWriter out, ReportFields report) {
        out.println("kind EXECUTION_REPORT");
        out.println("block " + report.block());
        if (report.batchIndex() != NO_BATCH) {
            out.println("batch " + report.batchIndex());
            out.println("order " + report.orderIndex());
        }
        out.println("broker " + Integer.toUnsignedString(report.brokerId()));
        out.println("reportSequence " + Long.toUnsignedString(report.reportSequence()));
        out.println("orderId " + Long.toUnsignedString(report.orderId()));
        out.println("execId " + Long.toUnsignedString(report.execId()));
        out.println("clOrdId " + Long.toUnsignedString(report.clOrdId()));
        if (report.origClOrdId() != 0) {
            out.println("origClOrdId " + Long.toUnsignedString(report.origClOrdId()));
        }
        out.println("execType " + FixNames.execType(report.execType()));
        out.println("ordStatus " + FixNames.ordStatus(report.ordStatus()));
        if (report.rejectReason() != 0) {
            out.println("rejectReason " + FixNames.rejectReason(report.rejectReason()));
        }
        out.println("side " + FixNames.side(report.side()));
        out.println("price " + report.priceTicks());
        out.println("quantity " + report.quantityLots());
        if (report.tradeId() != 0) {
            out.println("tradeId " + Long.toUnsignedString(report.tradeId()));
            out.println("lastPx " + report.lastPxTicks());
            out.println("lastQty " + report.lastQtyLots());
        }
        out.println("leavesQty " + report.leavesQtyLots());
        out.println("cumQty " + report.cumQtyLots());
        out.println("account " + Integer.toUnsignedString(report.accountId()));
        out.println("instrument " + Integer.toUnsignedString(report.instrumentId()));
        out.println("transactTime " + DescribeCommand.time(report.transactTimeNs()));
    }

    private static void print(PrintWriter out, TradeFields trade) {
        out.println("kind TRADE");
        out.println("block " + trade.block());
        out.println("tradeId " + Long.toUnsignedString(trade.tradeId()));
        out.println("instrument " + Integer.toUnsignedString(trade.instrumentId()));
        out.println("price " + trade.priceTicks());
        out.println("quantity " + trade.quantityLots());
        out.println("aggressorSide " + FixNames.side(trade.aggressorSide()));
        out.println(side("buy", trade.buy()));
        out.println(side("sell", trade.sell()));
        out.println("tradeTime " + DescribeCommand.time(trade.timeNs()));
    }

    private static String side(String name, TradeSide side) {
        return name + " broker " + Integer.toUnsignedString(side.brokerId())
                + " account " + Integer.toUnsignedString(side.accountId())
                + " orderId " + Long.toUnsignedString(side.orderId())
                + " clOrdId " + Long.toUnsignedString(side.clOrdId());
    }
}
