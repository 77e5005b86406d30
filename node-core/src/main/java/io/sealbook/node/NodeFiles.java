package io.sealbook.node;

import io.sealbook.archive.BlockArchive;
import io.sealbook.crypto.NeverVotedMark;
import io.sealbook.node.payloadlog.PayloadLog;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.SessionHeads;

/**
 * The files of a node that survive its process. The shell opens and closes them.
 *
 * @param archive blocks, never deleted
 * @param replicaLog what the replica must not forget about its votes
 * @param voteMark whether the replica has ever recorded a vote; apart from the log, so that a lost log is noticed
 * @param neverVoted the mark beside the identity key that it has never voted; the first start uses it up
 * @param payloadLog batches that wait for their block
 * @param sessionHeads how far each session has come, so that a restart need not read all blocks
 * @param evidence batches that brokers signed under one number
 */
public record NodeFiles(
        BlockArchive archive,
        ReplicaLog replicaLog,
        VoteMark voteMark,
        NeverVotedMark neverVoted,
        PayloadLog payloadLog,
        SessionHeads sessionHeads,
        EvidenceStore evidence) {}
