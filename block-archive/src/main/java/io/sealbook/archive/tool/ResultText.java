package io.sealbook.archive.tool;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ResultPlace;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultEvent;
import java.io.PrintWriter;

/** Results as people read them, one fact per line: names of fields and values are those of FIX. */
final class ResultText {
    private ResultText() {}

    /** Prints a result of a block. */
    static void print(PrintWriter out, long block, ResultPlace place, ResultCell result) {
        ResultEvent event = result.event();
        out.println("kind RESULT");
        out.println("block " + block);
        if (hasEntry(result)) {
            out.println("batch " + result.batchIndex());
            out.println("order " + result.orderIndex());
        }
        out.println("broker " + Integer.toUnsignedString(place.brokerId()));
        out.println("reportSequence " + Long.toUnsignedString(place.reportSequence()));
        out.println("event " + event);
        if (result.rejectReason() != 0) {
            out.println("rejectReason " + FixNames.rejectReason(result.rejectReason()));
        }
        switch (event) {
            case INCOMING_FILL -> out.println("lastPx " + result.order());
            default -> out.println("orderId " + Long.toUnsignedString(result.order()));
        }
        switch (event) {
            case INCOMING_FILL, RESTING_FILL -> {
                out.println("tradeId " + Long.toUnsignedString(result.tradeOrCumQty()));
                out.println("lastQty " + result.quantity());
            }
            case CANCELED, EXPIRED -> {
                out.println("cumQty " + result.tradeOrCumQty());
                out.println("takenOutQty " + result.quantity());
            }
            default -> {
                out.println("cumQty " + result.tradeOrCumQty());
                out.println("leavesQty " + result.quantity());
            }
        }
    }

    /** Returns whether an entry of the block caused the result. */
    static boolean hasEntry(ResultCell result) {
        return result.batchIndex() != ResultCell.NO_BATCH;
    }
}
