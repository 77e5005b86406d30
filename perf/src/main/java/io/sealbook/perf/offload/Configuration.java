package io.sealbook.perf.offload;

import java.util.List;

/** The paper's four configurations: two switches. */
enum Configuration {
    NEITHER("agent checks, one thread", "agent", "one"),
    OFFLOAD("offload, one thread", "event-loop", "one"),
    THREADS("agent checks, two threads", "agent", "two"),
    BOTH("offload, two threads", "event-loop", "two");

    final String label;
    private final String offload;
    private final String threads;

    /**
     * @param label names it in a table
     * @param offload where peer messages are checked
     * @param threads whether agreement and execution share a thread
     */
    Configuration(String label, String offload, String threads) {
        this.label = label;
        this.offload = offload;
        this.threads = threads;
    }

    /** Returns the settings of each node. */
    List<String> nodeProperties() {
        return List.of(
                "laboratory=true",
                "experiment.execution=in-process",
                "experiment.engine=" + CounterEngineProvider.NAME,
                "experiment.offload=" + offload,
                "experiment.threads=" + threads);
    }
}
