package io.sealbook.node;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;

/**
 * The files of a node that survive its process. The shell opens and closes them.
 *
 * @param archive blocks, never deleted
 * @param replicaLog what the replica must not forget about its votes
 * @param voteMark whether the replica has ever recorded a vote; apart from the log, so that a lost log is noticed
 * @param payloadLog batches that wait for their block
 */
public record NodeFiles(BlockArchive archive, ReplicaLog replicaLog, VoteMark voteMark, PayloadLog payloadLog) {}
