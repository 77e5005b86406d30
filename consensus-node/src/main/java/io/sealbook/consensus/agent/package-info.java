/**
 * The thread around the agreement core: gathers its inputs, carries out its outputs.
 *
 * <pre>
 *   PeerInbox (checked votes) ─┐
 *   AgentInbox (batches,       ├─▶ ReplicaAgent ─▶ Replica.step ─▶ persist ▸ fsync ▸ send ▸ deliver ▸ the rest
 *     results, transfers)      │
 *   deadlines ─────────────────┘
 * </pre>
 *
 * A duty cycle that finds nothing parks until an inbox gets an input or the next timer is due.
 */
package io.sealbook.consensus.agent;
