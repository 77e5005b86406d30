package io.sealbook.engine.matching;

import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.setup.AgreedMarket;
import io.sealbook.engine.setup.EngineDirectory;
import io.sealbook.engine.setup.EngineSettings;

/** A loop that no timer wakes: a block that the node does not signal is not executed within a test. */
public final class LoopWithoutTimer {
    private static final long HOUR_NS = 3_600_000_000_000L;

    private LoopWithoutTimer() {}

    /** Makes a loop as {@link MatchingLoop} does. */
    public static MatchingLoop of(
            EngineDirectory directory,
            AgreedMarket market,
            EngineSettings settings,
            EngineStores stores,
            EngineOutputs outputs,
            EngineMonitor monitor) {
        return new MatchingLoop(directory, market, settings, stores, outputs, monitor, HOUR_NS);
    }
}
