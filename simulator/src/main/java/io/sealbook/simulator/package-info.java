/**
 * Whole clusters on one thread: real {@link io.sealbook.pbft.Replica replicas} on a virtual clock, network and disk, with crashes,
 * partitions and Byzantine replicas decided by a seed. Equal seeds give equal runs.
 *
 * <pre>
 *   Scenario.of(seed) -> Simulation -> SimulatedNode (shell around a Replica) -> Adversary -> Network -> ...
 *                            |______________________ Checker after every event
 * </pre>
 */
package io.sealbook.simulator;
