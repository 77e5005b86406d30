package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.MerkleTree;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.proof.ProofVerdict.Fault;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import java.util.SortedSet;

/**
 * Judges inclusion proofs with the genesis file and what is known of later epochs. One thread; the signature verifier
 * stays the caller's.
 */
public final class ProofVerifier {
    private final Digest genesisDigest;
    private final KnownEpochs known;
    private final CertificateVerifier certificates;

    /**
     * Judges proofs of the first epoch.
     *
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public ProofVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this(genesis, KnownEpochs.of(genesis), verifier);
    }

    /**
     * Judges each proof by the nodes of its certificate's epoch.
     *
     * @param genesis of the chain
     * @param known epochs of the chain
     * @param verifier of the nodes' signatures
     */
    public ProofVerifier(GenesisFile genesis, KnownEpochs known, SignatureVerifier verifier) {
        this.genesisDigest = genesis.digest();
        this.known = known;
        this.certificates = new CertificateVerifier(verifier);
    }

    /** Follows the evidence link by link and stops at the first that does not hold. */
    public ProofVerdict verify(InclusionProof proof) {
        if (!genesisDigest.equals(proof.genesisDigest())) {
            return refused(
                    Fault.GENESIS,
                    "genesis digest " + proof.genesisDigest().hex() + ", expected " + genesisDigest.hex());
        }
        boolean isCarried = proof.signedBatch().length > 0;
        if (isCarried && !BatchContent.hasId(proof.signedBatch(), proof.batchId())) {
            return refused(
                    Fault.BATCH_CONTENT,
                    "carried batch is not " + proof.batchId().hex());
        }
        BlockHeader header = proof.header();
        if (!MerkleTree.isIncluded(
                proof.batchId(), proof.batchIndex(), header.batchCount(), proof.merklePath(), header.merkleRoot())) {
            return refused(
                    Fault.MERKLE_PATH,
                    "path does not lead from batch " + proof.batchIndex() + " of " + header.batchCount() + " to root "
                            + header.merkleRoot().hex());
        }
        BlockHeader last = header;
        for (BlockHeader next : proof.laterHeaders()) {
            if (next.sequence() != last.sequence() + 1 || !next.previousHash().equals(last.hash())) {
                return refused(
                        Fault.HEADER_CHAIN, "header " + next.sequence() + " does not follow header " + last.sequence());
            }
            last = next;
        }
        return verifyCertificate(proof, last, isCarried);
    }

    private ProofVerdict verifyCertificate(InclusionProof proof, BlockHeader last, boolean isCarried) {
        if (proof.certificate().sequence() != last.sequence()
                || !proof.certificate().chainHash().equals(last.hash())) {
            return refused(
                    Fault.CHAIN_HASH,
                    "certificate is of block " + proof.certificate().sequence() + " with hash "
                            + proof.certificate().chainHash().hex() + ", the headers end at block " + last.sequence()
                            + " with hash " + last.hash().hex());
        }
        Membership nodes = known.epochs().of(last.sequence());
        SortedSet<Integer> signers = certificates.signers(proof.certificate(), nodes);
        if (signers.size() < nodes.quorum()) {
            String fact = "valid signatures of nodes " + signers + ", expected of " + nodes.quorum()
                    + " nodes of epoch " + Integer.toUnsignedString(nodes.epoch());
            return last.administrationBlock() > known.throughBlock()
                    ? refused(
                            Fault.EPOCH,
                            fact + "; the certificate may be of a later epoch: block " + last.administrationBlock()
                                    + " holds administrative transactions that are not known here")
                    : refused(Fault.SIGNATURES, fact);
        }
        return new Proven(
                proof.header().sequence(),
                proof.batchIndex(),
                proof.header().blockTimeNs(),
                last.sequence(),
                signers,
                nodes.quorum(),
                nodes.epoch(),
                isCarried);
    }

    private static Refused refused(Fault fault, String fact) {
        return new Refused(fault, fact);
    }
}
