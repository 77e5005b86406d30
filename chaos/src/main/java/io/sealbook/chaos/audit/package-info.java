/** Reads what a cluster holds at the end of a run: all archives, evidence, and all reports of its engines. */
package io.sealbook.chaos.audit;
