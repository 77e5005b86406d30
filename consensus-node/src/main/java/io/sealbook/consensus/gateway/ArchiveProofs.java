package io.sealbook.consensus.gateway;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.proof.InclusionProver;
import io.sealbook.archive.proof.MembershipProver;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntPredicate;

/** Proofs made from the node's own archive. Any thread. */
public final class ArchiveProofs implements ChainProofs {
    private final BlockArchive archive;
    private final InclusionProver prover;
    private final MembershipProver memberships;

    public ArchiveProofs(BlockArchive archive) {
        this.archive = archive;
        this.prover = new InclusionProver(archive);
        this.memberships = new MembershipProver(archive);
    }

    @Override
    public Optional<byte[]> proof(long sequence, Digest batchId, IntPredicate isRead) {
        Block block = archive.read(sequence)
                .map(Block::wrap)
                .orElseThrow(() -> new IllegalArgumentException(
                        "block " + sequence + " is not in the archive, the last is " + archive.lastSequence()));
        OptionalInt index = InclusionProver.indexOf(block, batchId);
        if (index.isEmpty()) {
            throw new IllegalArgumentException("batch is not in block " + sequence);
        }
        if (archive.certificateAtOrAfter(sequence).isEmpty()) {
            return Optional.empty();
        }
        try {
            boolean isCarried = isRead(block, index.getAsInt(), isRead);
            return Optional.of(
                    prover.prove(sequence, index.getAsInt(), isCarried).encode());
        } catch (InclusionProver.NotProvableException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static boolean isRead(Block block, int index, IntPredicate isRead) {
        BatchView batch = new BatchView().wrap(block.array(), block.batchOffset(index), block.batchLength(index));
        return batch.isAdministrative() || isRead.test(batch.brokerId());
    }

    @Override
    public byte[] membership() {
        return memberships.prove().encode();
    }
}
