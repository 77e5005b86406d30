package io.sealbook.engine.history;

import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.order.OrderFields;
import java.util.HexFormat;
import java.util.List;

/**
 * An order as its broker signed it, with its place in the chain.
 *
 * @param clOrdId decimal text: an unsigned 64-bit number, of which JSON readers lose the low digits
 * @param origClOrdId the same, of a cancel or replace; null otherwise
 * @param proof where the proof of its batch is
 * @param reports that this entry caused for its broker; none if they are no longer kept
 */
record ArchivedOrderView(
        long block,
        int batchIndex,
        int orderIndex,
        String batchId,
        long blockTimeNs,
        long brokerId,
        String clOrdId,
        String origClOrdId,
        String action,
        String side,
        String ordType,
        String timeInForce,
        long price,
        long quantity,
        long accountId,
        long instrumentId,
        String proof,
        List<EntryReportView> reports) {
    static ArchivedOrderView of(ArchivedOrder order, List<EntryReportView> reports) {
        OrderFields fields = order.fields();
        return new ArchivedOrderView(
                order.place().sequence(),
                order.place().batchIndex(),
                order.place().orderIndex(),
                HexFormat.of().formatHex(order.batchId().bytes()),
                order.blockTimeNs(),
                Integer.toUnsignedLong(order.brokerId()),
                Long.toUnsignedString(fields.clOrdId()),
                fields.origClOrdId() == 0 ? null : Long.toUnsignedString(fields.origClOrdId()),
                FixNames.action(fields.action()),
                FixNames.side(fields.side()),
                FixNames.ordType(fields.ordType()),
                FixNames.timeInForce(fields.timeInForce()),
                fields.priceTicks(),
                fields.quantityLots(),
                Integer.toUnsignedLong(fields.accountId()),
                Integer.toUnsignedLong(fields.instrumentId()),
                "/api/blocks/" + order.place().sequence() + "/batches/"
                        + order.place().batchIndex() + "/proof",
                reports);
    }
}
