package io.sealbook.chaos.run;

import io.sealbook.chaos.fault.FaultDraw;
import io.sealbook.chaos.fault.FaultKind;
import io.sealbook.chaos.liar.Lie;
import io.sealbook.perf.cluster.NodeShape;
import java.nio.file.Path;
import java.util.List;

/**
 * What a run does.
 *
 * @param home root of the source tree, with the built jars
 * @param directory of all files of the run
 * @param seed of faults and orders
 * @param faultsMs time of the faults, ms
 * @param faultsMax number of faults after which the run has enough
 * @param calmMs time of load without faults before and after them, ms
 * @param shape of each member
 * @param nodes members
 * @param brokers programs
 * @param pauseMs ms between two batches of a broker
 * @param kinds of faults to draw from
 * @param lies that the liar tells, in turn
 * @param lieMs how long it tells each, ms; 0: for the time that is drawn
 */
record RunPlan(
        Path home,
        Path directory,
        long seed,
        long faultsMs,
        int faultsMax,
        long calmMs,
        NodeShape shape,
        int nodes,
        int brokers,
        long pauseMs,
        List<FaultKind> kinds,
        List<Lie> lies,
        long lieMs) {
    /**
     * Returns how long a fault lasts.
     *
     * @param kind of the fault
     * @param drawnMs what the seed says, ms
     */
    long holdMs(FaultKind kind, long drawnMs) {
        return kind == FaultKind.BYZANTINE && lieMs > 0 ? lieMs : drawnMs;
    }

    /** Returns the shape of a member: one can lie if the run has such faults. */
    NodeShape shape(int nodeId) {
        return nodeId == FaultDraw.LIAR && kinds.contains(FaultKind.BYZANTINE) ? NodeShape.LIAR : shape;
    }
}
