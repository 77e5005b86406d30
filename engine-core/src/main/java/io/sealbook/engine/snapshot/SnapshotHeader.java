package io.sealbook.engine.snapshot;

import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.SortedMap;

/**
 * The fields of a snapshot besides the matching core's state. The arrays and the map are not to be changed.
 *
 * @param sequence the block after which the state was written
 * @param blockHash its hash
 * @param resultDigest digest of all outputs up to it
 * @param queueIndex position of its excerpt in this machine's queue
 * @param totals counters, see {@link io.sealbook.engine.monitor.Totals}: batches, orders, trades, reports, then rejects
 *     by reason; at most 1,024
 * @param reportSequences last report of each broker that has any
 * @param terms of the chain after the block, see {@link io.sealbook.matching.chain.ChainTerms#encode}; not to be
 *     changed
 * @param bookChanges of all instruments; empty if the file is of a version that has none
 */
public record SnapshotHeader(
        long sequence,
        Digest blockHash,
        Digest resultDigest,
        long queueIndex,
        long[] totals,
        SortedMap<Integer, Long> reportSequences,
        byte[] terms,
        List<BookChange> bookChanges) {}
