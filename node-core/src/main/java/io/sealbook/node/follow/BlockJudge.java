package io.sealbook.node.follow;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ProposedBatch;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Judges whether the content of a block is that of its header: batches, their arrival times and, if that is wanted,
 * their brokers' signatures. One thread.
 *
 * <p>The header's proposal digest covers the arrival times. It also covers the proposal's time, which the header has
 * unless the block before it was later: the arrival times of such a block, whose time is that of its predecessor, are
 * not verified.
 */
public final class BlockJudge {
    private final Optional<BrokerSignatures> signatures;

    /** @param signatures empty if brokers' signatures are not verified; no hash and no certificate covers them */
    public BlockJudge(Optional<BrokerSignatures> signatures) {
        this.signatures = signatures;
    }

    /**
     * Judges a block.
     *
     * @param block whose header links to the chain
     * @param previous its predecessor
     * @return the fact about a wrong block; empty if it is right
     */
    Optional<String> fault(Block block, LastBlock previous) {
        String which = "block " + block.header().sequence() + ": ";
        if (!block.hasMerkleRoot()) {
            return Optional.of(which + "its batch ids do not lead to its Merkle root");
        }
        OptionalInt altered = BatchContent.firstMismatch(block);
        if (altered.isPresent()) {
            return Optional.of(which + "the bytes of batch " + altered.getAsInt() + " are not those of its id");
        }
        if (block.header().blockTimeNs() > previous.blockTimeNs() && !hasProposal(block, previous.proposalDigest())) {
            return Optional.of(which + "its arrival times are not those of its proposal");
        }
        return signatures
                .map(known -> known.firstFault(List.of(block), BrokerSignatures.BatchPass.NONE))
                .filter(fault -> !fault.isEmpty());
    }

    private static boolean hasProposal(Block block, Digest previous) {
        BlockHeader header = block.header();
        List<ProposedBatch> batches = new ArrayList<>(block.batchCount());
        for (int i = 0; i < block.batchCount(); i++) {
            Digest id = block.batchId(i);
            batches.add(new ProposedBatch(id, block.arrivalTimeNs(i)));
        }
        Proposal proposal = new Proposal(header.view(), header.sequence(), header.blockTimeNs(), previous, batches);
        return proposal.digest().equals(header.proposalDigest());
    }
}
