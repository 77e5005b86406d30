package io.sealbook.node;

import io.sealbook.archive.BlockArchive;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;

/**
 * What survives a node; opened and closed by the shell.
 *
 * @param archive blocks, for ever
 * @param replicaLog what the replica must not forget about its votes
 * @param payloadLog batches that wait for their block
 */
public record NodeFiles(BlockArchive archive, ReplicaLog replicaLog, PayloadLog payloadLog) {}
