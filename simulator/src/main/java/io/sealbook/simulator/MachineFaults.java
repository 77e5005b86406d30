package io.sealbook.simulator;

import java.util.List;

/**
 * What happens to machines of correct nodes in some runs, beside crashes and pauses.
 *
 * @param rot of disks
 * @param fullDisks for a while
 * @param engineErrors of one node
 */
record MachineFaults(BitRot rot, FullDisks fullDisks, EngineErrors engineErrors) {
    /**
     * @param simulation in which they happen
     * @param nodes all machines; the list changes after this call
     */
    static MachineFaults of(Simulation simulation, List<SimulatedNode> nodes) {
        return new MachineFaults(
                new BitRot(simulation, nodes), new FullDisks(simulation, nodes), new EngineErrors(simulation, nodes));
    }

    /** Begins those that a scenario has, until the cluster heals. */
    void begin(Scenario scenario) {
        if (scenario.hasRot()) {
            rot.begin();
        }
        if (scenario.hasFullDisks()) {
            fullDisks.begin();
        }
        if (scenario.hasWrongEngine()) {
            engineErrors.begin();
        }
    }
}
