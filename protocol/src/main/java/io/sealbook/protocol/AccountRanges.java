package io.sealbook.protocol;

import io.sealbook.protocol.v1.AccountRange;
import io.sealbook.protocol.v1.Broker;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The accounts of a broker: ranges of unsigned 32-bit numbers that do not overlap. Immutable; any thread.
 *
 * <p>A look-up reads two numbers of the only range, or of as many as a binary search needs.
 */
public final class AccountRanges {
    /** Every account: for markets of one broker, and for tests. */
    public static final AccountRanges ALL = new AccountRanges(new long[] {0}, new long[] {0xFFFF_FFFFL});
    /** No account. */
    public static final AccountRanges NONE = new AccountRanges(new long[0], new long[0]);

    /** Ascending. */
    private final long[] firsts;
    /** Inclusive, of the range at the same place. */
    private final long[] lasts;

    private AccountRanges(long[] firsts, long[] lasts) {
        this.firsts = firsts;
        this.lasts = lasts;
    }

    /**
     * Returns the accounts of a broker.
     *
     * @param broker of a genesis file whose rules were checked
     */
    public static AccountRanges of(Broker broker) {
        List<AccountRange> ranges = broker.getAccountsList().stream()
                .sorted(Comparator.comparingLong(AccountRanges::first))
                .toList();
        return new AccountRanges(
                ranges.stream().mapToLong(AccountRanges::first).toArray(),
                ranges.stream().mapToLong(AccountRanges::last).toArray());
    }

    /** Returns single accounts, unsigned. */
    public static AccountRanges of(int... accountIds) {
        long[] ids = Arrays.stream(accountIds)
                .mapToLong(Integer::toUnsignedLong)
                .sorted()
                .distinct()
                .toArray();
        return new AccountRanges(ids, ids);
    }

    static long first(AccountRange range) {
        return Integer.toUnsignedLong(range.getFirst());
    }

    /** Returns the last account of a range. */
    static long last(AccountRange range) {
        return range.getLast() == 0 ? first(range) : Integer.toUnsignedLong(range.getLast());
    }

    /** Returns whether an account, unsigned, is in a range. */
    public boolean contains(int accountId) {
        long id = Integer.toUnsignedLong(accountId);
        int low = 0;
        int high = firsts.length - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            if (id < firsts[middle]) {
                high = middle - 1;
            } else if (id > lasts[middle]) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the lowest account, unsigned.
     *
     * @throws NoSuchElementException if there is none
     */
    public int lowest() {
        if (firsts.length == 0) {
            throw new NoSuchElementException("no accounts");
        }
        return (int) firsts[0];
    }

    /** Returns the number of ranges. */
    public int count() {
        return firsts.length;
    }

    /** Returns the first account of a range, 0..2^32 - 1; ranges count from 0 and ascend. */
    public long first(int range) {
        return firsts[range];
    }

    /** Returns the last account of a range, inclusive. */
    public long last(int range) {
        return lasts[range];
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AccountRanges that
                && Arrays.equals(firsts, that.firsts)
                && Arrays.equals(lasts, that.lasts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(firsts) + Arrays.hashCode(lasts);
    }

    /** Returns the ranges as {@code 1000-1999, 7}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < firsts.length; i++) {
            text.append(i == 0 ? "" : ", ").append(firsts[i]);
            if (lasts[i] != firsts[i]) {
                text.append('-').append(lasts[i]);
            }
        }
        return text.toString();
    }
}
