/** A run: a cluster under load, faults drawn from a seed, and the audit at its end. */
package io.sealbook.chaos.run;
