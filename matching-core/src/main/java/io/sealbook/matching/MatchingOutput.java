package io.sealbook.matching;

import org.agrona.DirectBuffer;

/**
 * Takes what a block produces, on the core's thread, in the order in which it enters the result digest. Records and
 * buffers are reused: what they hold is valid only until the call returns.
 */
public interface MatchingOutput {
    /**
     * Of one broker in one block at most so many reports are packed in a row, the first of them alone: nobody unpacks
     * more to find one.
     */
    int PACKED_RUN_MAX = 256;

    /** Takes one ExecutionReport. */
    void onReport(ReportRecord report);

    /**
     * Takes one Trade: a whole SBE message with its 8-byte header.
     *
     * @param buffer reused; valid during the call
     * @param offset where the message begins
     * @param length bytes of the message, header included
     */
    void onTrade(DirectBuffer buffer, int offset, int length);
}
