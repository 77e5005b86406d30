package io.sealbook.engine.snapshot;

/**
 * The last block that changed an instrument's book or status.
 *
 * @param instrumentId of the genesis file, or added since
 * @param blockSequence of the block; 0 if none has
 * @param timeNs its time, ns since the epoch; 0 if none has
 */
public record BookChange(int instrumentId, long blockSequence, long timeNs) {}
