package io.sealbook.node.follow;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.HeadersInPlace;
import io.sealbook.node.block.SessionEnds;
import io.sealbook.node.status.NodeState.LastBlock;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Judges whether the content of a block is that of its header: batches, the sessions that its proposal serves, the
 * administration block and, if that is wanted, the signatures of brokers and members. One thread.
 *
 * <p>The header's proposal digest covers the proposal's time, which the header has unless the block before it was
 * later: the proposal of such a block, whose time is that of its predecessor, is not verified.
 */
public final class BlockJudge {
    private final Optional<BrokerSignatures> signatures;

    /** @param signatures empty if signatures of batches are not verified; no hash and no certificate covers them */
    public BlockJudge(Optional<BrokerSignatures> signatures) {
        this.signatures = signatures;
    }

    /**
     * Judges a block.
     *
     * @param block whose header links to the chain
     * @param previous its predecessor
     * @param membership in effect for the block
     * @return the fact about a wrong block; empty if it is right
     */
    Optional<String> fault(Block block, LastBlock previous, Membership membership) {
        String which = "block " + block.header().sequence() + ": ";
        long administrationBlock = block.header().administrationBlock();
        if (administrationBlock != previous.administrationBlock()) {
            return Optional.of(which + "administration block " + administrationBlock + ", expected "
                    + previous.administrationBlock());
        }
        if (!block.hasMerkleRoot()) {
            return Optional.of(which + "its batch ids do not lead to its Merkle root");
        }
        OptionalInt altered = BatchContent.firstMismatch(block);
        if (altered.isPresent()) {
            return Optional.of(which + "the bytes of batch " + altered.getAsInt() + " are not those of its id");
        }
        Optional<String> header = wrongHeader(block);
        if (header.isPresent()) {
            return Optional.of(which + header.get());
        }
        if (block.header().blockTimeNs() > previous.blockTimeNs()
                && !hasProposal(block, previous.proposalDigest(), membership)) {
            return Optional.of(which + "its sessions are not those of its proposal");
        }
        return signatures
                .map(known -> known.firstFault(List.of(block), membership, BrokerSignatures.BatchPass.NONE))
                .filter(fault -> !fault.isEmpty());
    }

    private static Optional<String> wrongHeader(Block block) {
        BatchHeaders headers = new HeadersInPlace(block);
        for (int i = 0; i < block.batchCount(); i++) {
            if (block.batchLength(i) < SignedBatch.signedLength(0) || headers.number(i) == 0) {
                return Optional.of("batch " + i + " has no place in a session");
            }
        }
        return block.hasItsTimes() ? Optional.empty() : Optional.of("the time beside a batch is not the block's");
    }

    private static boolean hasProposal(Block block, Digest previous, Membership membership) {
        BlockHeader header = block.header();
        BatchHeaders headers = new HeadersInPlace(block);
        boolean isFair = membership.terms().getParameters().getFairOrder();
        Proposal proposal = new Proposal(
                header.view(),
                header.sequence(),
                header.blockTimeNs(),
                previous,
                isFair ? SessionEnds.inOrder(block, headers) : SessionEnds.of(block, headers));
        return proposal.digest().equals(header.proposalDigest());
    }
}
