package io.sealbook.matching;

import org.agrona.DirectBuffer;

/**
 * Takes what a block produces, on the core's thread, in the order in which it enters the result digest. The bytes are a whole SBE
 * message with its 8-byte header; the buffer is reused, so they are valid only until the call returns.
 */
public interface MatchingOutput {
    /** Of one broker in one block at most so many reports are packed in a row: nobody unpacks more to find one. */
    int PACKED_RUN_MAX = 256;

    /** Takes one ExecutionReport. */
    void onReport(DirectBuffer buffer, int offset, int length);

    /**
     * Takes the report just given once more, packed by {@link RecordPacker}, for those who keep reports.
     *
     * @param isFirst whether it is packed alone, as the broker's first report of a block is and every {@link #PACKED_RUN_MAX}th behind
     *     it; else as its difference to the broker's report before
     * @param packed holds the packed report in {@code offset..offset + length}, valid until the call returns
     */
    default void onPackedReport(
            int brokerId, long reportSequence, boolean isFirst, byte[] packed, int offset, int length) {}

    /** Takes one Trade. */
    void onTrade(DirectBuffer buffer, int offset, int length);
}
