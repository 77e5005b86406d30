/**
 * The one thread that executes: takes a committed block, runs it through the matching core, publishes its result to the
 * node, hands the outputs to the ring, and from time to time keeps a snapshot.
 */
package io.sealbook.engine.matching;
