package io.sealbook.matching;

import org.agrona.DirectBuffer;

/**
 * Takes what a block produces, on the core's thread, in the order in which it enters the result digest. The bytes are a whole SBE
 * message with its 8-byte header; the buffer is reused, so they are valid only until the call returns.
 */
public interface MatchingOutput {
    /** Takes one ExecutionReport. */
    void onReport(DirectBuffer buffer, int offset, int length);

    /** Takes one Trade. */
    void onTrade(DirectBuffer buffer, int offset, int length);
}
