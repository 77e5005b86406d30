package io.sealbook.engine.retention;

import java.util.SortedMap;

/**
 * The positions that a start from a snapshot requires.
 *
 * @param block the snapshot's; 0 for the empty market before block 1
 * @param reportSequences by broker, the last report up to that block
 */
public record RestartPoint(long block, SortedMap<Integer, Long> reportSequences) {}
