package io.sealbook.perf.broker;

import io.sealbook.client.Order;
import io.sealbook.perf.flow.FlowCommand;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdType;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.sbe.TimeInForce;

/** Turns a flow's commands into the client SDK's orders. */
public final class FlowOrders {
    private FlowOrders() {}

    /**
     * Returns the entry that a broker submits for a command of the flow.
     *
     * @param command of the flow
     * @param accountId account of the order
     * @param instrumentId instrument of the order
     */
    public static Order toOrder(FlowCommand command, int accountId, int instrumentId) {
        return new Order(
                switch (command.kind()) {
                    case CANCEL -> Action.CANCEL;
                    case REPLACE -> Action.REPLACE;
                    default -> Action.NEW;
                },
                command.clOrdId(),
                command.origClOrdId(),
                accountId,
                instrumentId,
                command.isBuy() ? Side.BUY : Side.SELL,
                command.kind() == FlowCommand.Kind.MARKET ? OrdType.MARKET : OrdType.LIMIT,
                switch (command.kind()) {
                    case MARKET, IMMEDIATE_OR_CANCEL -> TimeInForce.IMMEDIATE_OR_CANCEL;
                    case FILL_OR_KILL -> TimeInForce.FILL_OR_KILL;
                    default -> TimeInForce.GOOD_TILL_CANCEL;
                },
                command.price(),
                command.quantity());
    }
}
