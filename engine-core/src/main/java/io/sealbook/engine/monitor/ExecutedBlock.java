package io.sealbook.engine.monitor;

import io.sealbook.vocabulary.Digest;

/**
 * The figures of one executed block.
 *
 * @param blockTimeNs the block's agreed time, ns since the epoch
 * @param executedTimeNs this engine's clock when it was done, ns since the epoch
 * @param executionNs how long its execution took
 * @param hash hash of its header
 * @param resultDigest digest of every output up to and including this block
 */
public record ExecutedBlock(
        long sequence,
        long blockTimeNs,
        long executedTimeNs,
        long executionNs,
        int batchCount,
        int orderCount,
        int tradeCount,
        int reportCount,
        int rejectCount,
        Digest hash,
        Digest resultDigest) {}
