package io.sealbook.engine.trace;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.tool.OrderText;
import io.sealbook.engine.trace.OrderLife.LifeEvent;
import io.sealbook.engine.trace.OrderLife.ReportedResult;
import io.sealbook.engine.trace.OrderLife.SignedEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A life as lines, of which each is an event, and then one line per order with its state. */
public final class LifeText {
    /** Name of the kind of a line. */
    public static final String EVENT = "event";

    private LifeText() {}

    /**
     * Returns the lines.
     *
     * @param life is printed whole
     * @param isJson whether each line is a JSON object, with the kind of line as {@code event}
     */
    public static List<String> lines(OrderLife life, boolean isJson) {
        return facts(life).stream()
                .map(facts -> isJson ? OrderText.json(facts) : line(facts))
                .toList();
    }

    /** Returns the facts of each line by name, in the order in which they are printed; {@code event} is the first. */
    public static List<Map<String, String>> facts(OrderLife life) {
        List<Map<String, String>> all = new ArrayList<>();
        for (LifeEvent event : life.events()) {
            all.add(
                    switch (event) {
                        case SignedEntry entry -> named("entry", facts(entry));
                        case ReportedResult result -> named("report", facts(result));
                    });
        }
        life.lastStates().forEach((orderId, last) -> all.add(named("state", state(orderId, last, life))));
        return all;
    }

    private static Map<String, String> named(String kind, Map<String, String> facts) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put(EVENT, kind);
        all.putAll(facts);
        return all;
    }

    private static String line(Map<String, String> facts) {
        Map<String, String> rest = new LinkedHashMap<>(facts);
        return OrderText.line(rest.remove(EVENT), rest);
    }

    private static Map<String, String> facts(SignedEntry entry) {
        Map<String, String> facts = OrderText.located(entry.order());
        facts.put(
                "certifiedSequence",
                entry.certifiedSequence().map(String::valueOf).orElse("none"));
        return facts;
    }

    private static Map<String, String> facts(ReportedResult result) {
        ReportFields report = result.report();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("block", Long.toString(report.block()));
        facts.put("blockTime", Instant.ofEpochSecond(0, report.transactTimeNs()).toString());
        facts.put("reportSequence", Long.toString(report.reportSequence()));
        facts.put("execType", FixNames.execType(report.execType()));
        if (report.rejectReason() != 0) {
            facts.put("rejectReason", FixNames.rejectReason(report.rejectReason()));
        }
        facts.put("orderId", Long.toUnsignedString(report.orderId()));
        facts.put("clOrdId", Long.toUnsignedString(report.clOrdId()));
        if (report.origClOrdId() != 0) {
            facts.put("origClOrdId", Long.toUnsignedString(report.origClOrdId()));
        }
        facts.put("price", Long.toString(report.priceTicks()));
        facts.put("quantity", Long.toString(report.quantityLots()));
        facts.put("side", FixNames.side(report.side()));
        facts.put("account", Integer.toUnsignedString(report.accountId()));
        facts.put("instrument", Integer.toUnsignedString(report.instrumentId()));
        if (report.tradeId() != 0) {
            facts.put("tradeId", Long.toUnsignedString(report.tradeId()));
            facts.put("lastPx", Long.toString(report.lastPxTicks()));
            facts.put("lastQty", Long.toString(report.lastQtyLots()));
        }
        putState(facts, report);
        result.counterpart().ifPresent(other -> {
            facts.put("counterBroker", Integer.toUnsignedString(other.brokerId()));
            facts.put("counterAccount", Integer.toUnsignedString(other.accountId()));
            facts.put("counterOrderId", Long.toUnsignedString(other.orderId()));
            facts.put("counterClOrdId", Long.toUnsignedString(other.clOrdId()));
        });
        return facts;
    }

    private static Map<String, String> state(long orderId, ReportFields last, OrderLife life) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("orderId", Long.toUnsignedString(orderId));
        facts.put("is", last.leavesQtyLots() == 0 ? "ENDED" : "OPEN");
        putState(facts, last);
        facts.put("since", Long.toString(last.block()));
        facts.put("searchedFrom", Long.toString(life.searchedFrom()));
        facts.put("searchedTo", Long.toString(life.searchedTo()));
        return facts;
    }

    private static void putState(Map<String, String> facts, ReportFields report) {
        facts.put("ordStatus", FixNames.ordStatus(report.ordStatus()));
        facts.put("leavesQty", Long.toString(report.leavesQtyLots()));
        facts.put("cumQty", Long.toString(report.cumQtyLots()));
    }
}
