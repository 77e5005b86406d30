package io.sealbook.perf.offload;

import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessEngineProvider;
import io.sealbook.protocol.GenesisFile;
import java.util.Map;

/** Makes {@link CounterEngine}, which has no settings. */
public final class CounterEngineProvider implements InProcessEngineProvider {
    static final String NAME = "counter";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public InProcessEngine open(GenesisFile genesis, Map<String, String> settings) {
        if (!settings.isEmpty()) {
            throw new IllegalArgumentException("unknown settings " + settings.keySet() + "; it has none");
        }
        return new CounterEngine();
    }
}
