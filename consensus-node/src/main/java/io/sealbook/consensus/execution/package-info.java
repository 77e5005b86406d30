/** Engines that a node runs inside itself, on the thread that commits: a replica's, or one of an experiment. */
package io.sealbook.consensus.execution;
