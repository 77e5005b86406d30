package io.sealbook.replica;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;
import io.sealbook.tls.TlsIdentity;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a replica's engine is given.
 *
 * @param files the node's directory, of which the engine locks its part
 * @param market instruments and brokers of the genesis file
 * @param settings of the engine
 * @param nodeTls certificate and key of the node; empty without TLS
 * @param registry of the node's meters
 * @param lastCommitted last block that the node has committed
 */
record EngineContext(
        EngineDirectory files,
        AgreedMarket market,
        EngineSettings settings,
        Optional<TlsIdentity> nodeTls,
        MeterRegistry registry,
        LongSupplier lastCommitted) {}
