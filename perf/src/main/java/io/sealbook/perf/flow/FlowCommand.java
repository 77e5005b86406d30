package io.sealbook.perf.flow;

/**
 * One order entry of a flow, without the instrument and account that a broker adds.
 *
 * @param kind kind of the command
 * @param clOrdId id of this entry, unique in its flow
 * @param origClOrdId id of the order to cancel or replace, else 0
 * @param isBuy side of the order
 * @param price limit in ticks; 0 for a market order
 * @param quantity order quantity; of a replace the new total (filled and open together); 0 for a cancel
 */
public record FlowCommand(Kind kind, long clOrdId, long origClOrdId, boolean isBuy, long price, long quantity) {
    /** What an entry asks for. */
    public enum Kind {
        LIMIT,
        MARKET,
        IMMEDIATE_OR_CANCEL,
        FILL_OR_KILL,
        CANCEL,
        REPLACE
    }
}
