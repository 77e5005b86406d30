package io.sealbook.consensus.administration;

import io.sealbook.crypto.PublicKeyPem;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What a transaction changes, in words for the people who approve it. Stateless. */
public final class TermsText {
    private TermsText() {}

    /** Returns a line for the number and the reason, and one for each change. */
    public static List<String> of(AdministrativeTerms terms) {
        List<String> lines = new ArrayList<>();
        lines.add("transaction " + Long.toUnsignedString(terms.getNumber()) + " of chain "
                + Long.toUnsignedString(terms.getChainId()));
        if (!terms.getReason().isEmpty()) {
            lines.add("reason: " + terms.getReason());
        }
        terms.getChangesList().forEach(change -> lines.add("  " + of(change)));
        return lines;
    }

    private static String of(Change change) {
        return switch (change.getChangeCase()) {
            case ADD_BROKER -> "add " + text(change.getAddBroker());
            case ADD_KEY ->
                "add to broker " + id(change.getAddKey().getBrokerId()) + " "
                        + text(change.getAddKey().getKey());
            case REVOKE_KEY ->
                "revoke key " + id(change.getRevokeKey().getKeyId()) + " of broker "
                        + id(change.getRevokeKey().getBrokerId());
            case SET_BROKER_STATUS ->
                "broker " + id(change.getSetBrokerStatus().getBrokerId()) + " becomes "
                        + change.getSetBrokerStatus().getStatus();
            case SET_ACCOUNTS ->
                "broker " + id(change.getSetAccounts().getBrokerId()) + " has accounts "
                        + text(change.getSetAccounts().getAccountsList()) + " and no others";
            case SET_QUOTA ->
                "broker " + id(change.getSetQuota().getBrokerId()) + " may have "
                        + id(change.getSetQuota().getLiveOrderCountMax()) + " live orders";
            case ADD_INSTRUMENT -> "add " + text(change.getAddInstrument());
            case SET_INSTRUMENT_STATUS ->
                "instrument " + id(change.getSetInstrumentStatus().getInstrumentId()) + " becomes "
                        + change.getSetInstrumentStatus().getStatus();
            case SET_LIMITS ->
                "instrument " + id(change.getSetLimits().getInstrumentId()) + " takes prices "
                        + change.getSetLimits().getPriceMin() + ".."
                        + change.getSetLimits().getPriceMax() + ", quantities up to "
                        + change.getSetLimits().getQuantityMax();
            case ADD_AUDITOR ->
                "add auditor " + id(change.getAddAuditor().getAuditorId()) + " \""
                        + change.getAddAuditor().getName() + "\", "
                        + text(change.getAddAuditor().getKey());
            case REMOVE_AUDITOR ->
                "remove auditor " + id(change.getRemoveAuditor().getAuditorId());
            case CHANGE_NOT_SET -> "a change that this version does not know";
        };
    }

    /** Returns a broker as one line. */
    public static String text(Broker broker) {
        return "broker " + id(broker.getBrokerId()) + " \"" + broker.getName() + "\", accounts "
                + text(broker.getAccountsList()) + ", " + id(broker.getLiveOrderCountMax()) + " live orders, "
                + broker.getKeysList().stream().map(TermsText::text).collect(Collectors.joining(", "));
    }

    private static String text(BrokerKey key) {
        String blocks = key.getUntilBlock() != 0
                ? " (blocks " + key.getFromBlock() + ".." + key.getUntilBlock() + ")"
                : key.getFromBlock() != 0 ? " (from block " + key.getFromBlock() + ")" : "";
        return "key " + id(key.getKeyId()) + " " + text(key.getKey()) + blocks;
    }

    /** Returns the scheme of a key and its fingerprint, to compare with the one that its owner tells. */
    public static String text(PublicKey key) {
        try {
            VerificationKey point = VerificationKey.of(
                    SignatureScheme.of(key.getSchemeValue()), key.getPoint().toByteArray());
            return key.getScheme() + " " + PublicKeyPem.fingerprint(point);
        } catch (IllegalArgumentException e) {
            return "no key: " + e.getMessage();
        }
    }

    /** Returns an instrument as one line. */
    public static String text(Instrument instrument) {
        return "instrument " + id(instrument.getInstrumentId()) + " " + instrument.getSymbol() + ", prices "
                + instrument.getPriceMin() + ".." + instrument.getPriceMax() + " with "
                + instrument.getPriceDecimals() + " decimals, quantities up to " + instrument.getQuantityMax()
                + (instrument.getReduceKeepsPriority() ? ", a reduced order keeps its place" : "");
    }

    private static String text(List<AccountRange> ranges) {
        return ranges.isEmpty()
                ? "none"
                : ranges.stream()
                        .map(range -> range.getLast() == 0
                                ? id(range.getFirst())
                                : id(range.getFirst()) + "-" + id(range.getLast()))
                        .collect(Collectors.joining(","));
    }

    private static String id(int unsigned) {
        return Integer.toUnsignedString(unsigned);
    }
}
