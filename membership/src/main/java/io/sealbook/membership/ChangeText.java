package io.sealbook.membership;

import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AddKey;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.PublicKey;
import io.sealbook.protocol.v1.SetLimits;
import io.sealbook.protocol.v1.SetParameters;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A consortium and its changes as people read them: before they approve a change, and in the history of the chain.
 * Names and reasons are text of members; here they are in quotation marks and on one line. Stateless.
 */
public final class ChangeText {
    private ChangeText() {}

    /** Returns a transaction for the people who approve it: a line for its number, one for its reason and one each. */
    public static List<String> lines(AdministrativeTerms terms) {
        List<String> lines = new ArrayList<>();
        lines.add("transaction " + id(terms.getNumber()) + " of chain " + id(terms.getChainId()));
        if (!terms.getReason().isEmpty()) {
            lines.add("reason: " + oneLine(terms.getReason()));
        }
        terms.getChangesList().forEach(change -> lines.add("  " + of(change)));
        return lines;
    }

    /** Returns all changes of a transaction on one line. */
    public static String of(AdministrativeTerms terms) {
        return terms.getChangesList().stream().map(ChangeText::of).collect(Collectors.joining("; "));
    }

    /** Returns what a change does, such as {@code key 2 of broker 1 added: SM2_SM3 0123456789abcdef}. */
    public static String of(Change change) {
        return switch (change.getChangeCase()) {
            case ADD_BROKER -> name(change.getAddBroker()) + " added: " + content(change.getAddBroker());
            case ADD_KEY -> added(change.getAddKey());
            case REVOKE_KEY ->
                "key " + id(change.getRevokeKey().getKeyId()) + " of broker "
                        + id(change.getRevokeKey().getBrokerId()) + " revoked";
            case SET_BROKER_STATUS ->
                "broker " + id(change.getSetBrokerStatus().getBrokerId()) + " "
                        + word(change.getSetBrokerStatus().getStatus());
            case SET_ACCOUNTS ->
                "accounts of broker " + id(change.getSetAccounts().getBrokerId()) + " set to "
                        + accounts(change.getSetAccounts().getAccountsList());
            case SET_QUOTA ->
                "quota of broker " + id(change.getSetQuota().getBrokerId()) + " set to "
                        + id(change.getSetQuota().getLiveOrderCountMax());
            case SET_RATES ->
                "rates of broker " + id(change.getSetRates().getBrokerId()) + " set to "
                        + RateQuota.of(change.getSetRates());
            case ADD_INSTRUMENT -> name(change.getAddInstrument()) + " added: " + content(change.getAddInstrument());
            case SET_INSTRUMENT_STATUS ->
                "instrument " + id(change.getSetInstrumentStatus().getInstrumentId()) + " "
                        + word(change.getSetInstrumentStatus().getStatus());
            case SET_LIMITS -> limits(change.getSetLimits());
            case ADD_AUDITOR ->
                name(change.getAddAuditor()) + " added: "
                        + key(change.getAddAuditor().getKey());
            case REMOVE_AUDITOR -> "auditor " + id(change.getRemoveAuditor().getAuditorId()) + " removed";
            case REPLACE_NODE -> replaced(change.getReplaceNode().getNode());
            case ADD_NODE -> added(change.getAddNode().getNode());
            case REMOVE_NODE -> "node " + id(change.getRemoveNode().getNodeId()) + " removed";
            case SET_PARAMETERS -> "parameters set: " + parameters(change.getSetParameters());
            case CHANGE_NOT_SET -> "a change that this version does not know";
        };
    }

    private static String added(AddKey change) {
        return "key " + id(change.getKey().getKeyId()) + " of broker " + id(change.getBrokerId()) + " added: "
                + key(change.getKey().getKey());
    }

    private static String replaced(Node node) {
        return "node " + id(node.getNodeId()) + " replaced"
                + (node.getName().isEmpty() ? "" : " by" + quoted(node.getName())) + ": " + content(node);
    }

    private static String added(Node node) {
        return "node " + id(node.getNodeId()) + quoted(node.getName()) + " added: " + content(node);
    }

    private static String limits(SetLimits limits) {
        return "limits of instrument " + id(limits.getInstrumentId()) + " set to "
                + limits(limits.getPriceMin(), limits.getPriceMax(), limits.getQuantityMax());
    }

    /** In the order of their field numbers. */
    private static String parameters(SetParameters change) {
        return change.getAllFields().entrySet().stream()
                .map(field -> field.getKey().getJsonName() + " " + id((Integer) field.getValue()))
                .collect(Collectors.joining(", "));
    }

    /** Returns a node on one line, with the fingerprint of its key and its addresses. */
    public static String line(Node node) {
        return "node " + id(node.getNodeId()) + quoted(node.getName()) + ": " + content(node);
    }

    private static String content(Node node) {
        String ports = node.getHost().isEmpty()
                ? ""
                : ", host " + oneLine(node.getHost()) + " with ports " + id(node.getVotePort()) + " for votes, "
                        + id(node.getPayloadPort()) + " for payloads, " + id(node.getGatewayPort())
                        + " of the gateway, " + id(node.getEnginePort()) + " of the engine";
        return key(node.getIdentity()) + ports;
    }

    /** Returns a broker on one line, with the fingerprints of its keys. */
    public static String line(Broker broker) {
        return name(broker) + ": " + content(broker);
    }

    private static String content(Broker broker) {
        RateQuota rates = RateQuota.of(broker);
        return "accounts " + accounts(broker.getAccountsList()) + ", quota " + id(broker.getLiveOrderCountMax()) + ", "
                + (rates.isNone() ? "" : rates + ", ")
                + broker.getKeysList().stream().map(ChangeText::text).collect(Collectors.joining(", "));
    }

    private static String text(BrokerKey key) {
        String blocks = key.getUntilBlock() != 0
                ? " (blocks " + key.getFromBlock() + ".." + key.getUntilBlock() + ")"
                : key.getFromBlock() != 0 ? " (from block " + key.getFromBlock() + ")" : "";
        return "key " + id(key.getKeyId()) + " " + key(key.getKey()) + blocks;
    }

    /** Returns an instrument on one line. */
    public static String line(Instrument instrument) {
        return name(instrument) + ": " + content(instrument);
    }

    private static String content(Instrument instrument) {
        return limits(instrument) + ", " + id(instrument.getPriceDecimals()) + " decimals"
                + (instrument.getReduceKeepsPriority() ? ", a reduced order keeps its place" : "");
    }

    /** Returns an auditor on one line, with the fingerprint of its key. */
    public static String line(Auditor auditor) {
        return name(auditor) + ": " + key(auditor.getKey());
    }

    /** Returns the scheme of a key and the first bytes of the SHA-256 of its point, to compare by eye. */
    public static String key(PublicKey key) {
        try {
            return key.getScheme() + " " + PublicKeyPem.fingerprint(MemberKeys.keyOf(key));
        } catch (IllegalArgumentException e) {
            return "no key: " + e.getMessage();
        }
    }

    /** Returns the limits of an instrument: {@code prices 1..1000 and quantities up to 500}. */
    public static String limits(Instrument instrument) {
        return limits(instrument.getPriceMin(), instrument.getPriceMax(), instrument.getQuantityMax());
    }

    private static String limits(long priceMin, long priceMax, long quantityMax) {
        return "prices " + priceMin + ".." + priceMax + " and quantities up to " + quantityMax;
    }

    /** Returns accounts as in {@code 1..5, 9}; {@code none} if there is none. */
    public static String accounts(List<AccountRange> ranges) {
        return ranges.isEmpty()
                ? "none"
                : ranges.stream().map(ChangeText::accounts).collect(Collectors.joining(", "));
    }

    private static String accounts(AccountRange range) {
        boolean isOne = range.getLast() == 0 || range.getLast() == range.getFirst();
        return isOne ? id(range.getFirst()) : id(range.getFirst()) + ".." + id(range.getLast());
    }

    /**
     * Returns the text of a member with a question mark for each character that could end its line, or move a terminal
     * to another one.
     */
    public static String oneLine(String text) {
        return text.replaceAll("[\\p{Cntrl}\\u0080-\\u009f\\u2028\\u2029]", "?");
    }

    private static String quoted(String name) {
        return name.isEmpty() ? "" : " \"" + oneLine(name).replace('"', '?') + "\"";
    }

    private static String name(Broker broker) {
        return "broker " + id(broker.getBrokerId()) + quoted(broker.getName());
    }

    private static String name(Instrument instrument) {
        return "instrument " + id(instrument.getInstrumentId()) + quoted(instrument.getSymbol());
    }

    private static String name(Auditor auditor) {
        return "auditor " + id(auditor.getAuditorId()) + quoted(auditor.getName());
    }

    private static String word(BrokerStatus status) {
        return switch (status) {
            case BROKER_ACTIVE -> "active";
            case BROKER_SUSPENDED -> "suspended";
            case BROKER_REMOVED -> "removed";
            case UNRECOGNIZED -> "of an unknown status";
        };
    }

    private static String word(InstrumentStatus status) {
        return switch (status) {
            case INSTRUMENT_TRADING -> "trading";
            case INSTRUMENT_HALTED -> "halted";
            case UNRECOGNIZED -> "of an unknown status";
        };
    }

    private static String id(int unsigned) {
        return Integer.toUnsignedString(unsigned);
    }

    private static String id(long unsigned) {
        return Long.toUnsignedString(unsigned);
    }
}
