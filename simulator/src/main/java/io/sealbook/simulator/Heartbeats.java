package io.sealbook.simulator;

import io.sealbook.pbft.ReplicaConfig;
import java.util.SplittableRandom;

/**
 * The heartbeats of the other members, as one life of a node hears them: in each period something of each connected
 * member that runs, unless the network holds it up.
 */
final class Heartbeats {
    static final long PERIOD_NS = ReplicaConfig.HEARTBEAT_NS;

    private final Simulation simulation;
    private final SimulatedNode node;
    private final SplittableRandom random;
    /** When the next one of each member arrives. */
    private final long[] arrivesNs = new long[ReplicaConfig.REPLICA_COUNT_MAX];

    /** @param random used for nothing else, so that heartbeats change no other choice of a seed */
    Heartbeats(Simulation simulation, SimulatedNode node, SplittableRandom random) {
        this.simulation = simulation;
        this.node = node;
        this.random = random;
    }

    /** A period is over, or a pause of several; returns a bit for each member that was heard. */
    long heard() {
        long nowNs = simulation.nowNs();
        long heard = 0;
        for (int peer = 0; peer < node.nodeCount(); peer++) {
            if (peer != node.id && nowNs >= arrivesNs[peer] && simulation.wire().beats(peer, node)) {
                arrivesNs[peer] = nowNs + simulation.wire().heartbeatGapNs(random);
                heard |= 1L << peer;
            }
        }
        return heard;
    }
}
