package io.sealbook.archive.administration;

import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.AdministrativeTerms;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.BrokerStatus;
import io.sealbook.protocol.v1.Change;
import io.sealbook.protocol.v1.Instrument;
import io.sealbook.protocol.v1.InstrumentStatus;
import io.sealbook.protocol.v1.SetLimits;
import java.util.List;
import java.util.stream.Collectors;

/** Administrative changes as people read them. */
public final class ChangeText {
    private ChangeText() {}

    /** Returns a transaction on one line: block, number, changes, and who approved them or why it was refused. */
    public static String line(AdministrativeEntry entry) {
        String which = "block " + entry.block() + ": transaction "
                + Long.toUnsignedString(entry.terms().getNumber());
        return entry.isExecuted()
                ? which + ": " + changes(entry.terms()) + ", approved by " + approvers(entry.approvers())
                : which + " refused: " + entry.refusal();
    }

    /** Returns a transaction that was not executed here, on one line: what its proposer claims. */
    public static String line(ProposedTransaction proposed) {
        return "transaction " + Long.toUnsignedString(proposed.terms().getNumber()) + " proposed by node "
                + proposed.proposer() + ": " + changes(proposed.terms()) + ", approvals of "
                + approvers(proposed.approvers()) + " not checked";
    }

    /** Returns nodes as in {@code 0, 1, 3}. */
    public static String approvers(List<Integer> nodes) {
        return nodes.stream().map(Integer::toUnsignedString).collect(Collectors.joining(", "));
    }

    private static String changes(AdministrativeTerms terms) {
        return terms.getChangesList().stream().map(ChangeText::of).collect(Collectors.joining("; "));
    }

    /** Returns what a change does, such as {@code key 2 of broker 1 added}. */
    public static String of(Change change) {
        return switch (change.getChangeCase()) {
            case ADD_BROKER -> added(change.getAddBroker());
            case ADD_KEY ->
                "key " + change.getAddKey().getKey().getKeyId() + " of "
                        + broker(change.getAddKey().getBrokerId()) + " added";
            case REVOKE_KEY ->
                "key " + Integer.toUnsignedString(change.getRevokeKey().getKeyId()) + " of "
                        + broker(change.getRevokeKey().getBrokerId()) + " revoked";
            case SET_BROKER_STATUS ->
                broker(change.getSetBrokerStatus().getBrokerId()) + " "
                        + name(change.getSetBrokerStatus().getStatus());
            case SET_ACCOUNTS ->
                "accounts of " + broker(change.getSetAccounts().getBrokerId()) + " set to "
                        + accounts(change.getSetAccounts().getAccountsList());
            case SET_QUOTA ->
                "quota of " + broker(change.getSetQuota().getBrokerId()) + " set to "
                        + Integer.toUnsignedString(change.getSetQuota().getLiveOrderCountMax());
            case ADD_INSTRUMENT -> added(change.getAddInstrument());
            case SET_INSTRUMENT_STATUS ->
                instrument(change.getSetInstrumentStatus().getInstrumentId()) + " "
                        + name(change.getSetInstrumentStatus().getStatus());
            case SET_LIMITS -> limits(change.getSetLimits());
            case ADD_AUDITOR ->
                "auditor " + Integer.toUnsignedString(change.getAddAuditor().getAuditorId()) + " added";
            case REMOVE_AUDITOR ->
                "auditor " + Integer.toUnsignedString(change.getRemoveAuditor().getAuditorId()) + " removed";
            case CHANGE_NOT_SET -> "a change that this version does not know";
        };
    }

    private static String added(Broker broker) {
        String keys = broker.getKeysList().stream()
                .map(BrokerKey::getKeyId)
                .map(Integer::toUnsignedString)
                .collect(Collectors.joining(", "));
        return broker(broker.getBrokerId()) + " added with key " + keys + ", accounts "
                + accounts(broker.getAccountsList()) + " and quota "
                + Integer.toUnsignedString(broker.getLiveOrderCountMax());
    }

    private static String added(Instrument added) {
        return instrument(added.getInstrumentId()) + " added with " + limits(added);
    }

    /** Returns the limits of an instrument: {@code prices 1..1000 and quantities up to 500}. */
    public static String limits(Instrument instrument) {
        return limits(instrument.getPriceMin(), instrument.getPriceMax(), instrument.getQuantityMax());
    }

    private static String limits(SetLimits limits) {
        return "limits of " + instrument(limits.getInstrumentId()) + " set to "
                + limits(limits.getPriceMin(), limits.getPriceMax(), limits.getQuantityMax());
    }

    private static String limits(long priceMin, long priceMax, long quantityMax) {
        return "prices " + priceMin + ".." + priceMax + " and quantities up to " + quantityMax;
    }

    private static String broker(int brokerId) {
        return "broker " + Integer.toUnsignedString(brokerId);
    }

    private static String instrument(int instrumentId) {
        return "instrument " + Integer.toUnsignedString(instrumentId);
    }

    private static String name(BrokerStatus status) {
        return switch (status) {
            case BROKER_ACTIVE -> "active";
            case BROKER_SUSPENDED -> "suspended";
            case BROKER_REMOVED -> "removed";
            case UNRECOGNIZED -> "of an unknown status";
        };
    }

    private static String name(InstrumentStatus status) {
        return switch (status) {
            case INSTRUMENT_TRADING -> "trading";
            case INSTRUMENT_HALTED -> "halted";
            case UNRECOGNIZED -> "of an unknown status";
        };
    }

    /** Returns accounts as in {@code 1..5, 9}; {@code none} if there is none. */
    public static String accounts(List<AccountRange> ranges) {
        return ranges.isEmpty()
                ? "none"
                : ranges.stream().map(ChangeText::accounts).collect(Collectors.joining(", "));
    }

    private static String accounts(AccountRange range) {
        String first = Integer.toUnsignedString(range.getFirst());
        boolean isOne = range.getLast() == 0 || range.getLast() == range.getFirst();
        return isOne ? first : first + ".." + Integer.toUnsignedString(range.getLast());
    }
}
