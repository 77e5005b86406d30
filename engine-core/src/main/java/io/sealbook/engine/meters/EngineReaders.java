package io.sealbook.engine.meters;

import java.util.function.IntSupplier;

/**
 * Who reads from an engine now.
 *
 * @param reportStreams open report streams
 * @param marketDataStreams open streams and sessions of market data
 * @param connections open gRPC connections
 */
public record EngineReaders(IntSupplier reportStreams, IntSupplier marketDataStreams, IntSupplier connections) {}
