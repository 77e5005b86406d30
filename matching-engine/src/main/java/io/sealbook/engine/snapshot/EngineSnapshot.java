package io.sealbook.engine.snapshot;

import java.util.SortedMap;

/**
 * Everything an engine needs to go on behind a block.
 *
 * @param sequence the block
 * @param blockHash its hash, 32 bytes
 * @param resultDigest digest of all outputs up to it, 32 bytes
 * @param queueIndex where its excerpt stood in this machine's queue
 * @param totals counters, see {@link io.sealbook.engine.monitor.Totals}: batches, orders, trades, reports, then rejects by reason
 * @param reportSequences last report of each broker that has any
 * @param core the matching core's own snapshot
 */
public record EngineSnapshot(
        long sequence,
        byte[] blockHash,
        byte[] resultDigest,
        long queueIndex,
        long[] totals,
        SortedMap<Integer, Long> reportSequences,
        byte[] core) {}
