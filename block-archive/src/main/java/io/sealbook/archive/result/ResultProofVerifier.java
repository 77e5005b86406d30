package io.sealbook.archive.result;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.archive.result.ResultVerdict.ResultFault;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultCell;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Judges result proofs with the genesis file and what is known of later epochs. One thread; the signature verifier
 * stays the caller's.
 */
public final class ResultProofVerifier {
    private final Digest genesisDigest;
    private final KnownEpochs known;
    private final CertificateVerifier certificates;

    /**
     * Makes a verifier for proofs of the first epoch of a chain.
     *
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public ResultProofVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this(genesis, KnownEpochs.of(genesis), verifier);
    }

    /**
     * Makes a verifier that judges each proof by the nodes of its certificate's epoch.
     *
     * @param genesis of the chain
     * @param known epochs of the chain
     * @param verifier of the nodes' signatures
     */
    public ResultProofVerifier(GenesisFile genesis, KnownEpochs known, SignatureVerifier verifier) {
        this.genesisDigest = genesis.digest();
        this.known = known;
        this.certificates = new CertificateVerifier(verifier);
    }

    /** Follows the evidence link by link and stops at the first that does not hold. */
    public ResultVerdict verify(ResultProof proof) {
        if (!genesisDigest.equals(proof.genesisDigest())) {
            return new ResultRefused(ResultFault.GENESIS, "proof is of another genesis file");
        }
        byte[] cells = proof.cells();
        int count = cells.length / ResultCell.LENGTH;
        if (cells.length % ResultCell.LENGTH != 0) {
            return new ResultRefused(ResultFault.RESULTS, cells.length + " bytes are no cells");
        }
        int index = proof.place().index();
        if (index < 0 || index >= count) {
            return new ResultRefused(ResultFault.RESULTS, "no result " + index + " among " + count + " of the leaf");
        }
        try {
            return verifyDigest(proof, ResultCell.read(cells, index * ResultCell.LENGTH));
        } catch (IllegalArgumentException e) {
            return new ResultRefused(ResultFault.RESULTS, e.getMessage());
        }
    }

    private ResultVerdict verifyDigest(ResultProof proof, ResultCell result) {
        ResultPlace place = proof.place();
        byte[] leaf = ResultLeaf.hash(place.brokerId(), place.firstSequence(), proof.cells());
        Optional<Digest> root =
                ResultPath.root(Digest.of(leaf), place.leafIndex(), place.leafCount(), proof.merklePath());
        if (root.isEmpty()) {
            return new ResultRefused(
                    ResultFault.MERKLE_PATH,
                    proof.merklePath().size() + " hashes do not lead from leaf " + place.leafIndex() + " of "
                            + place.leafCount() + " to a root");
        }
        ResultLink link = new ResultLink();
        byte[] digest = proof.digestBefore().bytes();
        long sequence = proof.sequence();
        link.apply(digest, sequence, new ResultRoot(place.leafCount(), root.get()));
        for (ResultRoot later : proof.laterRoots()) {
            sequence++;
            link.apply(digest, sequence, later);
        }
        CheckpointCertificate certificate = proof.certificate();
        Digest certified = certificate.resultDigest();
        if (certificate.sequence() != sequence || !certified.equals(Digest.of(digest))) {
            return new ResultRefused(
                    ResultFault.RESULT_DIGEST,
                    "certificate is of block " + certificate.sequence() + " with result digest " + certified.hex()
                            + ", the evidence leads to block " + sequence + " with "
                            + Digest.of(digest).hex());
        }
        return verifySignatures(certificate, result);
    }

    private ResultVerdict verifySignatures(CheckpointCertificate certificate, ResultCell result) {
        Membership nodes = known.epochs().of(certificate.sequence());
        SortedSet<Integer> signers = certificates.signers(certificate, nodes);
        if (signers.size() < nodes.quorum()) {
            String later = certificate.sequence() > known.throughBlock() + 1
                    ? "; nodes that were replaced from block " + (known.throughBlock() + 1) + " on are not known here"
                    : "";
            return new ResultRefused(
                    ResultFault.SIGNATURES,
                    "valid signatures of nodes " + signers + ", expected of " + nodes.quorum() + " nodes of epoch "
                            + Integer.toUnsignedString(nodes.epoch()) + later);
        }
        return new ResultProven(result, certificate.sequence(), signers, nodes.quorum(), nodes.epoch());
    }
}
