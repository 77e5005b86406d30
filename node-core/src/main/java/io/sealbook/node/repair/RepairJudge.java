package io.sealbook.node.repair;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockDamagedException;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.ChainEpochs;
import io.sealbook.archive.administration.MembershipHistory;
import io.sealbook.archive.administration.MembershipUnknownException;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.port.RepairAnswer;
import io.sealbook.node.port.RepairVerdict;
import io.sealbook.protocol.v1.Genesis;
import java.util.List;

/**
 * Judges what peers send to repair an archive: that the batches of a block bear the signatures of their brokers, which
 * no hash covers, and that a quorum signed a certificate. Keys follow from the administrative blocks of the own
 * archive. Reads files; any thread.
 */
public final class RepairJudge {
    private final BlockArchive archive;
    private final Genesis genesis;
    private final SignatureVerifier verifier;

    /**
     * @param archive the node's own
     * @param genesis of the chain, with its defaults
     * @param verifier stays the caller's
     */
    public RepairJudge(BlockArchive archive, Genesis genesis, SignatureVerifier verifier) {
        this.archive = archive;
        this.genesis = genesis;
        this.verifier = verifier;
    }

    /** Returns the verdict about an answer, whose block has the hash that the chain names. */
    public RepairVerdict judge(RepairAnswer answer) {
        try {
            return answer.block().isPresent()
                    ? block(answer, answer.block().get())
                    : certificate(answer, answer.certificate().orElseThrow());
        } catch (BlockDamagedException | MembershipUnknownException e) {
            return RepairVerdict.notJudged(answer, e.getMessage());
        }
    }

    private RepairVerdict block(RepairAnswer answer, Block block) {
        if (BatchContent.firstMismatch(block).isPresent()) {
            return RepairVerdict.wrong(answer, "a batch has not its id");
        }
        if (!block.hasItsTimes()) {
            return RepairVerdict.wrong(answer, "the time beside a batch is not the block's");
        }
        List<String> faults = new BrokerSignatures(verifier)
                .faults(
                        block,
                        new MembershipHistory(archive, genesis).asOf(block).membership());
        return faults.isEmpty() ? RepairVerdict.right(answer) : RepairVerdict.wrong(answer, faults.getFirst());
    }

    private RepairVerdict certificate(RepairAnswer answer, CheckpointCertificate certificate) {
        ChainEpochs epochs = ChainEpochs.of(genesis, new MembershipHistory(archive, genesis));
        return new CertificateVerifier(verifier).isCertified(certificate, epochs.of(certificate.sequence()))
                ? RepairVerdict.right(answer)
                : RepairVerdict.wrong(answer, "no quorum signed certificate " + certificate.sequence());
    }
}
