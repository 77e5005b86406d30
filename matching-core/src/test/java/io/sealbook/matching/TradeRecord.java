package io.sealbook.matching;

import io.sealbook.protocol.sbe.AggressorSide;
import io.sealbook.protocol.sbe.MessageHeaderDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import org.agrona.DirectBuffer;

/** A Trade as a value, every field of it. */
record TradeRecord(
        long tradeId,
        long blockSequence,
        long buyOrderId,
        long sellOrderId,
        long buyClOrdId,
        long sellClOrdId,
        long price,
        long quantity,
        long tradeTimeNs,
        int instrumentId,
        int buyBrokerId,
        int sellBrokerId,
        int buyAccountId,
        int sellAccountId,
        AggressorSide aggressorSide) {
    static TradeRecord decode(DirectBuffer buffer, int offset) {
        TradeDecoder d = new TradeDecoder().wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
        return new TradeRecord(
                d.tradeId(),
                d.blockSequence(),
                d.buyOrderId(),
                d.sellOrderId(),
                d.buyClOrdId(),
                d.sellClOrdId(),
                d.price(),
                d.quantity(),
                d.tradeTimeNs(),
                (int) d.instrumentId(),
                (int) d.buyBrokerId(),
                (int) d.sellBrokerId(),
                (int) d.buyAccountId(),
                (int) d.sellAccountId(),
                d.aggressorSide());
    }
}
