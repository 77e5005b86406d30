package io.sealbook.simulator;

import io.sealbook.node.NodeCore;
import io.sealbook.node.NodeFiles;
import io.sealbook.node.NodePorts;
import io.sealbook.node.NodeSetup;
import io.sealbook.node.PlantedCore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Opens the package-private parts of the simulator to the tests of the model: traces of runs. */
public final class TracedRun {
    private TracedRun() {}

    /** Returns the trace of a seed's run. */
    public static List<String> of(long seed) {
        List<String> lines = new ArrayList<>();
        Scenario scenario = Scenario.of(seed);
        new Simulation(scenario, null, new ProtocolTrace(scenario, lines::add)).run();
        return lines;
    }

    /**
     * Returns the trace of a seed's run with a mistake planted in the correct replicas, up to where the checker ends
     * it.
     *
     * @param seed of the run
     * @param mistake makes the core of a replica
     */
    public static List<String> with(long seed, Function<PlantedCore, NodeCore> mistake) {
        List<String> lines = new ArrayList<>();
        Scenario scenario = Scenario.of(seed);
        try {
            new Simulation(scenario, null, new ProtocolTrace(scenario, lines::add)) {
                @Override
                NodeCore open(SimulatedNode node, NodeSetup setup, NodeFiles files, NodePorts ports) {
                    return node.isCorrect()
                            ? mistake.apply(new PlantedCore(setup, files, ports))
                            : super.open(node, setup, files, ports);
                }
            }.run();
        } catch (SimulationFailure e) {
            // The checker found it, too.
        }
        return lines;
    }
}
