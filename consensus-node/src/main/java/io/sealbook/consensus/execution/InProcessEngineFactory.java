package io.sealbook.consensus.execution;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.tls.TlsIdentity;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Opens the engine of a node that runs one inside itself. */
@FunctionalInterface
public interface InProcessEngineFactory {
    /**
     * Opens the engine; called once, before any thread of the node runs.
     *
     * @param registry of the node's meters
     * @param lastCommitted last block that the node has committed
     * @param tls of the node, for an engine with the same files; empty without TLS
     * @return an engine that the node closes
     */
    InProcessEngine open(MeterRegistry registry, LongSupplier lastCommitted, Optional<TlsIdentity> tls);
}
