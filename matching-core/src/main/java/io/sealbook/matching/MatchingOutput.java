package io.sealbook.matching;

import io.sealbook.vocabulary.result.ResultLeaf;
import org.agrona.DirectBuffer;

/**
 * Receives the outputs of a block, on the core's thread, in the order in which it enters the result digest. Records and
 * buffers are reused: their content is valid only until the call returns.
 */
public interface MatchingOutput {
    /** Maximum number of reports of one broker in one block that are packed in a row, the first of them alone. */
    int PACKED_RUN_MAX = ResultLeaf.RUN_MAX;

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

    /**
     * Takes the digest over one broker's reports of the block, at the block's end; only of brokers that have any. Its
     * fields are those of {@link io.sealbook.vocabulary.result.BrokerDigest}.
     *
     * @param brokerId whose reports
     * @param firstSequence report sequence of the first
     * @param count how many they are, at least 1
     * @param digest 32 bytes, reused
     */
    default void onBrokerDigest(int brokerId, long firstSequence, int count, byte[] digest) {}
}
