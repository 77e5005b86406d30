package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.administration.ProposedTransaction;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes membership proofs from an archive. The cost is that of reading the administrative blocks and the headers from
 * each to its certificate; no signature is verified. Any thread.
 */
public final class MembershipProver {
    private final BlockSource source;
    private final InclusionProver batches;

    /** @param source of blocks and certificates; stays the caller's */
    public MembershipProver(BlockSource source) {
        this.source = source;
        this.batches = new InclusionProver(source);
    }

    /**
     * Proves the membership as of the newest certificate.
     *
     * @throws InclusionProver.NotProvableException if no block is certified here, or a block or certificate is missing
     * @throws MembershipUnknownException if a block with administrative batches is not here
     */
    public MembershipProof prove() {
        CheckpointCertificate certificate = source.latestCertificate()
                .filter(last -> last.sequence() <= source.lastSequence())
                .orElseThrow(() -> new InclusionProver.NotProvableException("no block is certified here"));
        List<InclusionProof> transactions = new ArrayList<>();
        MembershipHistory.visitAdministrationBlocks(source, certificate.sequence() + 1, block -> {
            for (int i = 0; i < block.batchCount(); i++) {
                if (ProposedTransaction.of(block, i).isPresent()) {
                    transactions.add(batches.prove(block.header().sequence(), i, true));
                }
            }
        });
        BlockHeader tip = batches.block(certificate.sequence()).header();
        return new MembershipProof(source.genesisDigest(), tip, certificate, transactions);
    }
}
