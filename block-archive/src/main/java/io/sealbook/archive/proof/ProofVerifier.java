package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.MerkleTree;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.proof.ProofVerdict.Fault;
import io.sealbook.archive.proof.ProofVerdict.Proven;
import io.sealbook.archive.proof.ProofVerdict.Refused;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Judges inclusion proofs with the genesis file and what is known of later epochs. One thread; the signature verifier
 * stays the caller's.
 */
public final class ProofVerifier {
    private final Digest genesisDigest;
    private final KnownEpochs known;
    private final CertificateVerifier certificates;
    private final SignatureVerifier verifier;

    /**
     * Judges proofs of the first epoch.
     *
     * @param genesis of the chain
     * @param verifier of the signatures of nodes and of carried batches
     */
    public ProofVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this(genesis, KnownEpochs.of(genesis), verifier);
    }

    /**
     * Judges each proof by the nodes of its certificate's epoch.
     *
     * @param genesis of the chain
     * @param known epochs of the chain
     * @param verifier of the signatures of nodes and of carried batches
     */
    public ProofVerifier(GenesisFile genesis, KnownEpochs known, SignatureVerifier verifier) {
        this.genesisDigest = genesis.digest();
        this.known = known;
        this.certificates = new CertificateVerifier(verifier);
        this.verifier = verifier;
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
        return verifyCertificate(proof, last);
    }

    private ProofVerdict verifyCertificate(InclusionProof proof, BlockHeader last) {
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
        Optional<VerificationKey> sender = sender(proof.signedBatch());
        if (sender.isPresent() && !isSigned(proof, sender.get(), nodes.terms().getChainId())) {
            return refused(
                    Fault.BATCH_SIGNATURE,
                    "the signature of the carried batch is not its "
                            + (new BatchView().wrap(proof.signedBatch()).isAdministrative()
                                    ? "proposer's"
                                    : "broker's"));
        }
        return new Proven(
                proof.header().sequence(),
                proof.batchIndex(),
                proof.header().blockTimeNs(),
                last.sequence(),
                signers,
                nodes.quorum(),
                nodes.epoch(),
                proof.signedBatch().length > 0,
                sender.isPresent());
    }

    /** Returns the key that a batch names, if it is known; no hash of the chain covers the signature. */
    private Optional<VerificationKey> sender(byte[] signedBatch) {
        return signedBatch.length < SignedBatch.signedLength(0)
                ? Optional.empty()
                : BrokerSignatures.keyOf(
                        new BatchView().wrap(signedBatch), known.epochs().last());
    }

    private boolean isSigned(InclusionProof proof, VerificationKey sender, long chainId) {
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, chainId, proof.batchId());
        byte[] batch = proof.signedBatch();
        SignatureBatch signature = new SignatureBatch(1);
        signature.add(sender, region, 0, region.length, batch, batch.length - SignedBatch.SIGNATURE_LENGTH);
        return verifier.verify(signature) == 1;
    }

    private static Refused refused(Fault fault, String fact) {
        return new Refused(fault, fact);
    }
}
