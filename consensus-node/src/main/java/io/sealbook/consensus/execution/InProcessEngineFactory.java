package io.sealbook.consensus.execution;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;

/** Opens the engine of a node that runs one inside itself. */
@FunctionalInterface
public interface InProcessEngineFactory {
    /**
     * Opens the engine; called once, before any thread of the node runs.
     *
     * @param registry of the node's meters
     * @param lastCommitted last block that the node has committed
     * @return an engine that the node closes
     */
    InProcessEngine open(MeterRegistry registry, LongSupplier lastCommitted);
}
