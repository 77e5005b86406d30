package io.sealbook.engine.output;

import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;

/** Sees every output once, in order, on one thread of the ring; it must never wait for a client. */
public interface OutputConsumer extends OutputMessages.Visitor {
    @Override
    default void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {}

    @Override
    default void onTrade(int index, TradeDecoder trade) {}

    /** Called after the last output of a block. */
    default void onBlockEnd(BlockEnd end) {}
}
