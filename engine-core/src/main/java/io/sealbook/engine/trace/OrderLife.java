package io.sealbook.engine.trace;

import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.result.ReportFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of an order, in the order in which it was executed. More than one order may have borne the ClOrdID, one
 * after the other.
 *
 * @param events signed entries and reports
 * @param searchedFrom first block that was considered
 * @param searchedTo last one: archived, and with all its reports filed; an entry may be of a later one
 * @param isCut whether there were more reports than a limited search returns; these are the newest
 */
public record OrderLife(List<LifeEvent> events, long searchedFrom, long searchedTo, boolean isCut) {
    /** A step of the life. */
    public sealed interface LifeEvent {
        /** Returns the block in which it happened. */
        long block();
    }

    /**
     * An entry of a batch that made, changed or cancelled the order, or tried to.
     *
     * @param order as its broker signed it, with its place
     * @param certifiedSequence of the first checkpoint certificate at or after its block; empty if there is none yet
     */
    public record SignedEntry(ArchivedOrder order, Optional<Long> certifiedSequence) implements LifeEvent {
        @Override
        public long block() {
            return order.place().sequence();
        }
    }

    /**
     * A result for the order, as an execution report.
     *
     * @param report as the engine made it
     * @param counterpart the report of the other side; empty unless it is a fill and the reader asked for it
     */
    public record ReportedResult(ReportFields report, Optional<ReportFields> counterpart) implements LifeEvent {
        @Override
        public long block() {
            return report.block();
        }
    }

    public OrderLife {
        events = List.copyOf(events);
    }

    /**
     * Returns whether the reports begin where the order did, and none was left out. It was accepted, as each order of
     * the reports, or refused. An order that bore the ClOrdID earlier, and ended before {@link #searchedFrom}, is not
     * among them and not noticed.
     */
    public boolean isComplete() {
        return !isCut
                && LifeSearch.hasBegin(events.stream()
                        .filter(ReportedResult.class::isInstance)
                        .map(event -> ((ReportedResult) event).report())
                        .toList());
    }

    /** Returns the last report on each order by its FIX OrderID(37); a refused request changes no order. */
    public Map<Long, ReportFields> lastStates() {
        Map<Long, ReportFields> states = new LinkedHashMap<>();
        for (LifeEvent event : events) {
            if (event instanceof ReportedResult result && LifeSearch.isOfOrder(result.report())) {
                states.put(result.report().orderId(), result.report());
            }
        }
        return states;
    }
}
