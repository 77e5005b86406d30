package io.sealbook.simulator;

/** An invariant was broken, or the cluster did not recover; the message says which and where. */
final class SimulationFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    SimulationFailure(String fact) {
        super(fact);
    }

    SimulationFailure(String fact, Throwable cause) {
        super(fact, cause);
    }

    /** Returns what was broken, without the scenario and the nodes. */
    String fact() {
        return getCause() == null ? getMessage() : getCause().toString();
    }
}
