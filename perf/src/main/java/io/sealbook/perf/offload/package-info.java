/**
 * The experiments of the paper on PBFT with in-network computing: offload and threads as independent switches, against
 * clients, application load and replicas. Nodes run {@link io.sealbook.perf.offload.CounterEngine} inside themselves.
 */
package io.sealbook.perf.offload;
