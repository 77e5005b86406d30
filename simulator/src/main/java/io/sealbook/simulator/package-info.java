/**
 * Whole clusters on one thread: real {@link io.sealbook.node.NodeCore nodes} on a virtual clock, network and disk, with
 * crashes, partitions and Byzantine members decided by a seed. Equal seeds give equal runs.
 *
 * <pre>
 *   Scenario.of(seed) ─▶ Simulation ─▶ SimulatedNode ─▶ NodeLife ─▶ NodeCore ─▶ SimulatedPeers ─▶ Adversary ─▶ Network
 *                            │                              │            ├─▶ SimulatedDisk
 *                            │                              │            └─▶ Engine
 *                            └────────── Checker ◀──────────┘
 * </pre>
 */
package io.sealbook.simulator;
