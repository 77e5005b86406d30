/**
 * What a replica must remember across a restart, written before the vote that depends on it leaves.
 *
 * <pre>
 *   agent:  Persist(record) ─▶ ReplicaLog.append ─▶ write()      survives a killed process
 *                              ReplicaLog.sync   ─▶ fdatasync    survives power loss (durability DISK)
 *                              then, and only then, Send / Broadcast
 *
 *   segment full ─▶ new segment.tmp: header, every record still needed ─▶ fsync ─▶ rename
 *                ─▶ directory fsync ─▶ delete the old one
 * </pre>
 *
 * There is therefore one segment at rest, and it holds all records. A torn tail is cut; damage before bytes that were
 * known durable is a {@link io.sealbook.node.replicalog.ReplicaLogDamageException}, because a replica that forgot votes
 * may vote twice.
 */
package io.sealbook.node.replicalog;
