package io.sealbook.vocabulary.result;

import io.sealbook.vocabulary.Digest;

/**
 * What binds the reports of one broker in one block: {@link RunTree} computes it. Engines that send equal ones have
 * equal reports.
 *
 * @param brokerId whose reports
 * @param firstSequence report sequence of the first
 * @param count how many they are, at least 1
 * @param digest over all of them
 */
public record BrokerDigest(int brokerId, long firstSequence, int count, Digest digest) {
    /** Returns the report sequence after the last. */
    public long end() {
        return firstSequence + count;
    }
}
