package io.sealbook.matching;

import org.agrona.DirectBuffer;

/**
 * Receives the outputs of a block, on the core's thread, in the order in which the core makes them. Records, runs and
 * buffers are reused: their content is valid only until the call returns.
 */
public interface MatchingOutput {
    /** Takes one ExecutionReport; it is written only if the output asks for its bytes. */
    void onReport(ReportRecord report);

    /**
     * Takes one Trade: a whole SBE message with its 8-byte header.
     *
     * @param buffer reused; valid during the call
     * @param offset where the message begins
     * @param length bytes of the message, header included
     */
    void onTrade(DirectBuffer buffer, int offset, int length);

    /**
     * Takes results of one broker in a row, from which the reports are made that {@link #onReport} has taken. Runs of
     * one broker come in the order of its reports; all runs of a block come before its end.
     */
    default void onRun(ResultRun run) {}
}
