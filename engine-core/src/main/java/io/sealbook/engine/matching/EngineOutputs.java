package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.output.BlockOutput;

/**
 * The outputs of the matching thread, which other threads read.
 *
 * @param blocks every report and trade, in order; the thread waits while there is no room
 * @param board the newest depth of each book; overwritten, never waits
 */
public record EngineOutputs(BlockOutput blocks, DepthBoard board) {}
