package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.output.OutputRing;

/**
 * The outputs of the matching thread, which other threads read.
 *
 * @param ring every report and trade, in order; the thread waits while it is full
 * @param board the newest depth of each book; overwritten, never waits
 */
public record EngineOutputs(OutputRing ring, DepthBoard board) {}
