package io.sealbook.consensus.testnet;

import io.sealbook.protocol.v1.AccountRange;

/**
 * Accounts that a new cluster gives to a broker.
 *
 * @param brokerId from 1, in the order of the brokers' schemes
 * @param range both ends inclusive, unsigned
 */
public record AccountSpec(int brokerId, AccountRange range) {
    private static final String FORM = "broker:first[-last]";

    /**
     * Reads the command-line form, {@code broker:first[-last]}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    public static AccountSpec parse(String text) {
        String[] parts = text.split("[:-]", -1);
        boolean isOne = parts.length == 2 && text.indexOf(':') > 0;
        boolean isRange = parts.length == 3 && text.indexOf(':') < text.indexOf('-') && text.indexOf(':') > 0;
        if (!isOne && !isRange) {
            throw new IllegalArgumentException("accounts '" + text + "': expected " + FORM);
        }
        try {
            return new AccountSpec(
                    Integer.parseUnsignedInt(parts[0]),
                    range(Integer.parseUnsignedInt(parts[1]), Integer.parseUnsignedInt(parts[parts.length - 1])));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("accounts '" + text + "': expected " + FORM, e);
        }
    }

    /** Returns the one account that a broker gets if nothing else is given: that of its own number. */
    static AccountSpec ownNumber(int brokerId) {
        return new AccountSpec(brokerId, range(brokerId, brokerId));
    }

    private static AccountRange range(int first, int last) {
        AccountRange.Builder range = AccountRange.newBuilder().setFirst(first);
        return first == last ? range.build() : range.setLast(last).build();
    }
}
