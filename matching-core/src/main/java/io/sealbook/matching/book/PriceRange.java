package io.sealbook.matching.book;

/**
 * The prices that one book admits.
 *
 * @param min lowest, in ticks, at least 1
 * @param max highest, in ticks, inclusive, at least {@code min}; at most 2^31 - 1 prices lie between both
 */
public record PriceRange(long min, long max) {
    /** Returns how many prices are admitted. */
    public int count() {
        return (int) (max - min + 1);
    }

    /** Returns whether a price is admitted. */
    public boolean contains(long price) {
        return min <= price && price <= max;
    }
}
