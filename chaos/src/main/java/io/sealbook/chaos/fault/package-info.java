/** The faults of a run: what each does to the cluster, how it is healed, and how they are drawn from a seed. */
package io.sealbook.chaos.fault;
