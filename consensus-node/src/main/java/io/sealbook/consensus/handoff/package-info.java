/**
 * The node's ends of the two queues to its engine, see {@code io.sealbook.handoff} for their bytes. Both are
 * projections: what queue/blocks lacks is handed over again at start. The engine reads the blocks themselves from the
 * archive's files, so that each is written once.
 */
package io.sealbook.consensus.handoff;
