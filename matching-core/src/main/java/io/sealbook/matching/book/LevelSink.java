package io.sealbook.matching.book;

/** Takes the price levels of one side of a book, best first. */
@FunctionalInterface
public interface LevelSink {
    /**
     * Takes one level.
     *
     * @param price in ticks
     * @param quantity sum of the quantities that rest there, above 0
     * @param orderCount how many orders rest there, above 0
     */
    void onLevel(long price, long quantity, int orderCount);
}
