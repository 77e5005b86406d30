package io.sealbook.perf.cluster;

import io.sealbook.protocol.v1.EngineState;
import java.io.IOException;
import java.util.List;

/**
 * Judges what the engines of a cluster have made of a load, run after run: each has executed every order once and
 * refused none, orders have traded, and all have the same result. One thread.
 */
public final class ExecutionCheck {
    private EngineState reached = EngineState.getDefaultInstance();

    /**
     * Judges a run. The first one begins with the chain.
     *
     * @param engines state of each engine, by node, while nothing is on its way
     * @param submitted orders of the run
     * @param mustTrade whether the run cannot end without a trade
     * @throws IOException if an engine executed another number of orders, refused one, traded none, or differs from the
     *     first one; this object is as before
     */
    public void check(List<EngineState> engines, long submitted, boolean mustTrade) throws IOException {
        EngineState first = engines.getFirst();
        for (int i = 0; i < engines.size(); i++) {
            EngineState engine = engines.get(i);
            long executed = engine.getOrders() - reached.getOrders();
            if (executed != submitted) {
                throw new IOException(
                        "engine " + i + " executed " + executed + " orders, " + submitted + " were committed");
            }
            long refused = engine.getRejected() - reached.getRejected();
            if (refused != 0) {
                throw new IOException("engine " + i + " refused " + refused + " of " + submitted + " orders");
            }
            if (mustTrade && engine.getTrades() == reached.getTrades()) {
                throw new IOException("engine " + i + " made no trade of " + submitted + " orders");
            }
            if (!engine.getResultDigest().equals(first.getResultDigest())) {
                throw new IOException("engine " + i + " differs from engine 0 at block " + engine.getLastExecuted());
            }
        }
        reached = first;
    }

    /** Returns the state of all engines after the last run; before the first one that of an empty chain. */
    public EngineState reached() {
        return reached;
    }
}
