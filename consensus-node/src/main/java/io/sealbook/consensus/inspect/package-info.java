/**
 * Looks into the files of a stopped node and changes none of them.
 *
 * <pre>
 *   NodeInspection ─▶ ArchivePart      blocks, certificates
 *                  ─▶ QueuePart        queue/blocks and queue/results against the archive
 *                  ─▶ ReplicaLogPart   the replica log against the archive
 *                        └──▶ Report   facts, what is unfinished, what is damaged
 * </pre>
 */
package io.sealbook.consensus.inspect;
