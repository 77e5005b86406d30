package io.sealbook.archive.tool;

import io.sealbook.archive.administration.AdministrativeEntry;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.membership.ChangeText;
import io.sealbook.membership.Membership;
import io.sealbook.membership.RateQuota;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Auditor;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** A consortium as of a block, as people and as programs read it. Names and reasons are text of its members. */
record MembersText(MembershipHistory.AsOf asOf) {
    /** Returns one fact per line. */
    List<String> lines() {
        Genesis terms = asOf.membership().terms();
        List<String> lines = new ArrayList<>();
        lines.add("asOfBlock " + asOf.block());
        lines.add("transactions " + asOf.membership().number());
        lines.add("membershipDigest " + asOf.membership().digest().hex());
        lines.add(epoch(asOf.membership()));
        terms.getNodesList().forEach(node -> lines.add(line(node)));
        for (Broker broker : terms.getBrokersList()) {
            lines.add(line(broker));
            broker.getKeysList().forEach(key -> lines.add(line(broker, key)));
        }
        terms.getInstrumentsList().forEach(instrument -> lines.add(line(instrument)));
        terms.getAuditorsList().forEach(auditor -> lines.add(line(auditor)));
        for (AdministrativeEntry entry : asOf.entries()) {
            String reason = entry.terms().getReason();
            lines.add(entry.line() + (reason.isEmpty() ? "" : ", reason: " + ChangeText.oneLine(reason)));
        }
        return lines;
    }

    private static String epoch(Membership membership) {
        return "epoch " + Integer.toUnsignedString(membership.epoch()) + " from block " + (membership.epochBlock() + 1);
    }

    private static String line(Node node) {
        return "node " + node.getNodeId() + named(node.getName()) + " " + ChangeText.key(node.getIdentity());
    }

    private static String line(Broker broker) {
        RateQuota rates = RateQuota.of(broker);
        return "broker " + Integer.toUnsignedString(broker.getBrokerId()) + named(broker.getName()) + " "
                + word(broker.getStatus(), "BROKER_") + " accounts " + ChangeText.accounts(broker.getAccountsList())
                + " quota " + Integer.toUnsignedString(broker.getLiveOrderCountMax())
                + (rates.isNone() ? "" : " rates " + rates);
    }

    private static String line(Broker broker, BrokerKey key) {
        return "key " + key.getKeyId() + " of broker " + Integer.toUnsignedString(broker.getBrokerId()) + " "
                + ChangeText.key(key.getKey())
                + (key.getFromBlock() == 0 ? "" : " from block " + key.getFromBlock())
                + (key.getUntilBlock() == 0 ? "" : " until block " + key.getUntilBlock());
    }

    private static String line(Instrument instrument) {
        return "instrument " + Integer.toUnsignedString(instrument.getInstrumentId()) + named(instrument.getSymbol())
                + " " + word(instrument.getStatus(), "INSTRUMENT_") + " "
                + ChangeText.limits(instrument);
    }

    private static String line(Auditor auditor) {
        return "auditor " + Integer.toUnsignedString(auditor.getAuditorId()) + named(auditor.getName()) + " "
                + word(auditor.getStatus(), "AUDITOR_") + " " + ChangeText.key(auditor.getKey());
    }

    private static String named(String name) {
        return name.isEmpty() ? "" : " " + ChangeText.oneLine(name);
    }

    private static String word(Enum<?> status, String prefix) {
        return status.name().replace(prefix, "").toLowerCase(Locale.ROOT);
    }

    /** Returns one object; {@code terms} has the form of a genesis file. */
    String json() {
        StringJoiner transactions = new StringJoiner(",", "[", "]");
        asOf.entries().forEach(entry -> transactions.add(json(entry)));
        return "{\"asOfBlock\":" + asOf.block() + ",\"transactions\":"
                + asOf.membership().number()
                + ",\"membershipDigest\":\"" + asOf.membership().digest().hex() + "\",\"epoch\":"
                + Integer.toUnsignedString(asOf.membership().epoch()) + ",\"epochBlock\":"
                + asOf.membership().epochBlock() + ",\"history\":" + transactions
                + ",\"terms\":" + GenesisFile.toJson(asOf.membership().terms()).strip() + "}";
    }

    private static String json(AdministrativeEntry entry) {
        StringJoiner changes = new StringJoiner(",", "[", "]");
        entry.terms().getChangesList().forEach(change -> changes.add(JsonText.quoted(ChangeText.of(change))));
        return "{\"block\":" + entry.block() + ",\"batch\":" + entry.batchIndex() + ",\"batchId\":\""
                + entry.batchId().hex() + "\",\"number\":\""
                + Long.toUnsignedString(entry.terms().getNumber()) + "\",\"proposer\":" + entry.proposer()
                + ",\"approvers\":[" + entry.proposed().approversText() + "],\"isExecuted\":"
                + entry.isExecuted() + ",\"refusal\":" + JsonText.quoted(entry.refusal()) + ",\"reason\":"
                + JsonText.quoted(entry.terms().getReason()) + ",\"changes\":" + changes + "}";
    }
}
