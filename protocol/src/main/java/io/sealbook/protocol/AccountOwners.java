package io.sealbook.protocol;

import static io.sealbook.protocol.GenesisRules.require;

import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The rule that an account belongs to one broker. */
final class AccountOwners {
    private record Owned(long first, long last, int brokerId) {}

    private AccountOwners() {}

    /**
     * Checks that every range begins before it ends, and that no account is in two ranges.
     *
     * @throws IllegalArgumentException if not; the message names account and broker
     */
    static void check(List<Broker> brokers) {
        List<Owned> ranges = new ArrayList<>();
        for (Broker broker : brokers) {
            for (AccountRange range : broker.getAccountsList()) {
                Owned owned = new Owned(AccountRanges.first(range), AccountRanges.last(range), broker.getBrokerId());
                require(
                        owned.first <= owned.last,
                        name(owned) + ": accounts " + owned.first + ".." + owned.last + " are none");
                ranges.add(owned);
            }
        }
        ranges.sort(Comparator.comparingLong(Owned::first));
        for (int i = 1; i < ranges.size(); i++) {
            Owned before = ranges.get(i - 1);
            Owned range = ranges.get(i);
            require(
                    before.last < range.first,
                    "account " + range.first + " belongs to " + name(before) + " and to " + name(range));
        }
    }

    private static String name(Owned owned) {
        return "broker " + Integer.toUnsignedString(owned.brokerId);
    }
}
