package io.sealbook.consensus.follow;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockLocation;
import io.sealbook.archive.ChainViolationException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.node.block.CommittedBlocks;
import io.sealbook.node.port.BlockSink;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Durability;

/**
 * Where a follower keeps confirmed blocks: archive first, then the engine's queue, then readers. One thread.
 *
 * @param archive this follower's
 * @param sink hands blocks to the engine
 * @param blocks shows blocks to readers
 * @param durability whether a block survives a loss of power before it is handed on
 */
record FollowerStore(BlockArchive archive, BlockSink sink, CommittedBlocks blocks, Durability durability) {
    /**
     * Keeps a block.
     *
     * @throws io.sealbook.vocabulary.OperatingFailureException if the disk is full or fails
     */
    void append(Block block) {
        BlockLocation location = archive.append(block);
        if (durability.isDisk()) {
            archive.sync();
        }
        sink.append(location);
        blocks.publish(block);
    }

    /**
     * Keeps a certificate.
     *
     * @throws BrokenInvariantException if the block here is not the one that the certificate covers: its source was
     *     trusted and should not have been, or more than f members lie
     */
    void put(CheckpointCertificate certificate) {
        try {
            archive.putCertificate(certificate);
        } catch (ChainViolationException e) {
            throw new BrokenInvariantException(
                    "the chain here is not the certified one, delete archive, queue and engine and follow again: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns the last block; sequence 0 and the genesis digest if there is none. */
    LastBlock last() {
        return archive.read(archive.lastSequence())
                .map(Block::wrap)
                .map(LastBlock::of)
                .orElseGet(() -> LastBlock.none(archive.genesisDigest()));
    }

    /**
     * Returns the epochs up to the membership in effect for the block after the last one.
     *
     * @param genesis of the chain
     */
    ChainEpochs epochs(Genesis genesis) {
        return archive.lastSequence() == 0
                ? new ChainEpochs(genesis)
                : ChainEpochs.of(genesis, new MembershipHistory(archive, genesis));
    }

    /** Returns the block of the newest certificate; 0 if there is none. */
    long certified() {
        return archive.latestCertificate().map(CheckpointCertificate::sequence).orElse(0L);
    }
}
