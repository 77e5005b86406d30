package io.sealbook.matching;

import java.util.Arrays;
import java.util.List;

/**
 * The keys of a broker by their ids, each with the blocks in which it counts. The keys themselves are with those who
 * verify signatures. Immutable; any thread.
 */
public final class BrokerKeys {
    /** Every key id, in every block: for tests, and where no signature is verified. */
    public static final BrokerKeys ALL = new BrokerKeys(null, List.of());

    /**
     * The blocks in which a key counts.
     *
     * @param keyId 0..65,535
     * @param fromBlock the first; 0 from the start
     * @param untilBlock the last; 0 if it still counts
     */
    public record Term(int keyId, long fromBlock, long untilBlock) implements Comparable<Term> {
        @Override
        public int compareTo(Term other) {
            return Integer.compare(keyId, other.keyId);
        }

        private boolean contains(long block) {
            return fromBlock <= block && (untilBlock == 0 || block <= untilBlock);
        }
    }

    /** Ascending; null if every id counts. */
    private final int[] ids;
    /** Of the id at the same place. */
    private final List<Term> terms;

    private BrokerKeys(int[] ids, List<Term> terms) {
        this.ids = ids;
        this.terms = terms;
    }

    /**
     * Returns the keys of a broker, in any order.
     *
     * @throws IllegalArgumentException if an id is out of range or occurs twice
     */
    public static BrokerKeys of(List<Term> terms) {
        List<Term> sorted = terms.stream().sorted().toList();
        int[] ids = sorted.stream().mapToInt(Term::keyId).toArray();
        for (int i = 0; i < ids.length; i++) {
            Require.that(ids[i] >>> 16 == 0, "key id " + ids[i]);
            Require.that(i == 0 || ids[i] != ids[i - 1], "key " + ids[i] + " occurs twice");
        }
        return new BrokerKeys(ids, sorted);
    }

    /**
     * Returns whether batches of a block may be signed with a key.
     *
     * @param keyId as in the batch
     * @param block that contains the batch
     */
    boolean areInEffect(int keyId, long block) {
        if (ids == null) {
            return true;
        }
        int at = Arrays.binarySearch(ids, keyId);
        return at >= 0 && terms.get(at).contains(block);
    }

    /** Returns whether every id counts, whatever {@link #terms} are. */
    boolean areAll() {
        return ids == null;
    }

    /** Returns the keys by ascending ids. */
    List<Term> terms() {
        return terms;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BrokerKeys that && areAll() == that.areAll() && terms.equals(that.terms);
    }

    @Override
    public int hashCode() {
        return terms.hashCode();
    }

    @Override
    public String toString() {
        return areAll() ? "all" : terms.toString();
    }
}
