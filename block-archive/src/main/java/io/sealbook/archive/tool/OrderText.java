package io.sealbook.archive.tool;

import io.sealbook.archive.order.ArchivedOrder;
import io.sealbook.archive.order.FixNames;
import io.sealbook.archive.order.OrderFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Orders as people and as programs read them: names of fields and values are those of FIX. A code that this version of
 * the schema does not name is printed as a number.
 */
public final class OrderText {
    private OrderText() {}

    /** Returns an order of a batch that is printed above it. */
    static String line(int orderIndex, OrderFields fields) {
        return line("order " + orderIndex, facts(fields));
    }

    /** Returns an order with its place. */
    static String line(ArchivedOrder order) {
        return line(
                "order block " + order.place().sequence() + " batch "
                        + order.place().batchIndex() + " order " + order.place().orderIndex(),
                placed(order));
    }

    /** Returns an order with its place as one JSON object. */
    static String json(ArchivedOrder order) {
        return json(located(order));
    }

    /** Returns the place of an order, and its facts, by name. */
    public static Map<String, String> located(ArchivedOrder order) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("block", Long.toString(order.place().sequence()));
        facts.put("batch", Integer.toString(order.place().batchIndex()));
        facts.put("order", Integer.toString(order.place().orderIndex()));
        facts.putAll(placed(order));
        return facts;
    }

    /** Returns an order of a batch as one JSON object. */
    static String json(OrderFields fields) {
        return json(facts(fields));
    }

    /** Returns the facts of an order and of its batch by name, in the order in which they are printed. */
    static Map<String, String> placed(ArchivedOrder order) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("batchId", order.batchId().hex());
        facts.put("blockTime", DescribeCommand.time(order.blockTimeNs()).toString());
        facts.put("broker", Integer.toUnsignedString(order.brokerId()));
        facts.putAll(facts(order.fields()));
        return facts;
    }

    private static Map<String, String> facts(OrderFields fields) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("clOrdId", Long.toUnsignedString(fields.clOrdId()));
        if (fields.origClOrdId() != 0) {
            facts.put("origClOrdId", Long.toUnsignedString(fields.origClOrdId()));
        }
        facts.put("action", FixNames.action(fields.action()));
        facts.put("side", FixNames.side(fields.side()));
        facts.put("ordType", FixNames.ordType(fields.ordType()));
        facts.put("timeInForce", FixNames.timeInForce(fields.timeInForce()));
        facts.put("price", Long.toString(fields.priceTicks()));
        facts.put("quantity", Long.toString(fields.quantityLots()));
        facts.put("account", Integer.toUnsignedString(fields.accountId()));
        facts.put("instrument", Integer.toUnsignedString(fields.instrumentId()));
        return facts;
    }

    /**
     * Returns facts as one line.
     *
     * @param start the first words of the line
     * @param facts by name, in the order in which they are printed
     */
    public static String line(String start, Map<String, String> facts) {
        StringJoiner line = new StringJoiner(" ");
        line.add(start);
        facts.forEach((name, value) -> line.add(name + " " + value));
        return line.toString();
    }

    /**
     * Returns facts as one JSON object.
     *
     * @param facts by name; all values are digits, hexadecimal digits, names or instants, so that JSON needs no escapes
     */
    public static String json(Map<String, String> facts) {
        StringJoiner object = new StringJoiner(",", "{", "}");
        facts.forEach((name, value) -> object.add("\"" + name + "\":" + (isNumber(name) ? value : quoted(value))));
        return object.toString();
    }

    /**
     * Returns whether a fact is a number in JSON. Identifiers of 64 bits are quoted: many readers keep 53 bits of a
     * number.
     */
    public static boolean isNumber(String name) {
        return switch (name) {
            case "block", "batch", "order", "broker", "price", "quantity", "account", "instrument" -> true;
            case "lastPx", "lastQty", "leavesQty", "cumQty", "since", "searchedFrom", "searchedTo" -> true;
            case "counterBroker", "counterAccount" -> true;
            default -> false;
        };
    }

    private static String quoted(String value) {
        return "\"" + value + "\"";
    }
}
