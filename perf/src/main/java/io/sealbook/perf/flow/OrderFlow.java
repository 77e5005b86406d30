package io.sealbook.perf.flow;

import java.util.List;

/**
 * A whole flow for one instrument.
 *
 * @param name what people call it
 * @param symbol of the instrument
 * @param priceDecimals decimal places of a tick
 * @param priceMin and {@code priceMax} bound every price in the flow, in ticks
 * @param quantityMax bounds every quantity
 */
public record OrderFlow(
        String name,
        String symbol,
        int priceDecimals,
        long priceMin,
        long priceMax,
        long quantityMax,
        List<FlowStep> steps) {

    /** Returns how many order entries the flow has. */
    public int commandCount() {
        int count = 0;
        for (FlowStep step : steps) {
            count += step.commands().size();
        }
        return count;
    }

    /**
     * Returns the shortest prefix of whole steps that holds at least {@code commandsMax} entries, or this flow if it is
     * shorter.
     */
    public OrderFlow limitedTo(int commandsMax) {
        int count = 0;
        for (int i = 0; i < steps.size(); i++) {
            count += steps.get(i).commands().size();
            if (count >= commandsMax) {
                return new OrderFlow(
                        name, symbol, priceDecimals, priceMin, priceMax, quantityMax, steps.subList(0, i + 1));
            }
        }
        return this;
    }
}
