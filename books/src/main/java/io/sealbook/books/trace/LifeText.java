package io.sealbook.books.trace;

import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.result.ReportFields;
import io.sealbook.archive.tool.OrderText;
import io.sealbook.books.trace.OrderLife.LifeEvent;
import io.sealbook.books.trace.OrderLife.ReportedResult;
import io.sealbook.books.trace.OrderLife.SignedEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A life as lines, of which each is an event, and then one line per order with its state. */
public final class LifeText {
    private LifeText() {}

    /**
     * Returns the lines.
     *
     * @param life is printed whole
     * @param isJson whether each line is a JSON object, with the kind of line as {@code event}
     */
    public static List<String> lines(OrderLife life, boolean isJson) {
        List<String> lines = new ArrayList<>();
        for (LifeEvent event : life.events()) {
            lines.add(
                    switch (event) {
                        case SignedEntry entry -> line("entry", facts(entry), isJson);
                        case ReportedResult result -> line("report", facts(result), isJson);
                    });
        }
        life.lastStates().forEach((orderId, last) -> lines.add(line("state", state(orderId, last, life), isJson)));
        return lines;
    }

    private static String line(String kind, Map<String, String> facts, boolean isJson) {
        if (!isJson) {
            return OrderText.line(kind, facts);
        }
        Map<String, String> all = new LinkedHashMap<>();
        all.put("event", kind);
        all.putAll(facts);
        return OrderText.json(all);
    }

    private static Map<String, String> facts(SignedEntry entry) {
        Map<String, String> facts = OrderText.located(entry.order());
        facts.put("arrived", Instant.ofEpochSecond(0, entry.arrivalTimeNs()).toString());
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
