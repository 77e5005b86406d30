package io.sealbook.engine.matching;

import io.sealbook.engine.marketdata.DepthBoard;
import io.sealbook.engine.marketdata.TradeTape;
import io.sealbook.engine.output.BlockOutput;
import io.sealbook.engine.output.OutputConsumer;

/**
 * The outputs of the matching thread, which other threads read.
 *
 * @param blocks every report and trade, in order; the thread waits while there is no room
 * @param board the newest depth of each book; overwritten, never waits
 * @param tape the newest trades, which it takes from {@code blocks}; the matching thread names where it begins
 * @param consumer takes what {@code blocks} puts out, on the thread of that; the matching thread names where it begins
 */
public record EngineOutputs(BlockOutput blocks, DepthBoard board, TradeTape tape, OutputConsumer consumer) {}
