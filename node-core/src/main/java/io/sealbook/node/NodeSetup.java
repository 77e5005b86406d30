package io.sealbook.node;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.member.AgreementEpoch;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.pbft.MessageSigner;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaConfig.ProposesAfter;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Parameters;
import io.sealbook.vocabulary.Durability;

/**
 * The settings and keys of a node's start.
 *
 * @param nodeId this member, from 0; one that no epoch has named yet follows the chain
 * @param genesis the cluster's agreed start
 * @param durability what a vote and a block survive before they leave
 * @param proposesAfter what a block must have reached before it is in flight no more
 * @param payloadRoute which way a batch takes
 * @param decoding how often the header of a batch is decoded
 * @param payloadStoreBytesMax bytes of admitted batches held until their block
 * @param hashSeed places ids in memory; random, so that no sender can choose ids that collide
 * @param isLostReplicaLogAccepted whether the replica may vote though it took part before and has no record of its
 *     votes
 * @param signer signs as this member
 * @param verifier verifies brokers' and members' signatures; stays the caller's
 */
public record NodeSetup(
        int nodeId,
        GenesisFile genesis,
        Durability durability,
        ProposesAfter proposesAfter,
        PayloadRoute payloadRoute,
        HeaderDecoding.Policy decoding,
        long payloadStoreBytesMax,
        long hashSeed,
        boolean isLostReplicaLogAccepted,
        MessageSigner signer,
        SignatureVerifier verifier) {
    private static final long NS_PER_MS = 1_000_000L;

    /**
     * Returns this replica's place among those of an epoch. A node that the epoch does not name has that of the last
     * one: it speaks with a key that is nobody's there, and needs the others only to follow them.
     */
    int seat(AgreementEpoch epoch) {
        return Math.min(nodeId, epoch.nodeCount() - 1);
    }

    /** Returns parameters that no transaction changes: those of agreement are the epoch's. */
    Parameters parameters() {
        return genesis.genesis().getParameters();
    }

    /**
     * Returns how many of the last blocks a restart reads: their batches could be sent, or named by agreement, again.
     */
    int windowBlocks() {
        return Math.max(parameters().getValidityBlocksMax(), parameters().getLogWindow());
    }

    ReplicaConfig replica(AgreementEpoch epoch) {
        Parameters parameters = epoch.terms().getParameters();
        ReplicaConfig.Builder replica = ReplicaConfig.builder(
                seat(epoch), epoch.nodeCount(), genesis.genesis().getChainId());
        if (epoch.number() > 0) {
            replica.epoch(epoch.number(), epoch.origin());
        }
        return replica.block(parameters.getBlockMaxBatches(), parameters.getBlockMaxWaitMs() * NS_PER_MS)
                .windows(parameters.getPipelineWindow(), parameters.getCheckpointInterval(), parameters.getLogWindow())
                .fairOrder(parameters.getFairOrder())
                .proposesAfter(proposesAfter)
                .timeouts(
                        parameters.getRequestTimeoutMs() * NS_PER_MS,
                        parameters.getViewChangeTimeoutMaxMs() * NS_PER_MS)
                .blockTimeDriftMaxNs(parameters.getBlockTimeDriftMaxMs() * NS_PER_MS)
                .build();
    }
}
