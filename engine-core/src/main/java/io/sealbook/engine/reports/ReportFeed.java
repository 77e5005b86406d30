package io.sealbook.engine.reports;

import java.util.Optional;

/**
 * The frames of one report stream, one after another, as its store has them. One thread at a time.
 *
 * @param <F> a frame
 */
interface ReportFeed<F> {
    /** Returns the report that the next frame begins with, or goes on from. */
    long next();

    /** Returns the last report that can be sent now; 0 when there is none. */
    long last();

    /**
     * Makes the next frame; {@link #next()} is not after {@link #last()}.
     *
     * @return empty if the reports that it needs are no longer kept
     */
    Optional<F> take();

    /** Returns the first report that is kept. */
    long first();
}
