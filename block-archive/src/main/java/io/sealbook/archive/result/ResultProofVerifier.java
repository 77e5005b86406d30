package io.sealbook.archive.result;

import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.archive.proof.CertificateVerifier;
import io.sealbook.archive.result.ResultVerdict.ResultFault;
import io.sealbook.archive.result.ResultVerdict.ResultProven;
import io.sealbook.archive.result.ResultVerdict.ResultRefused;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.result.ResultLeaf;
import io.sealbook.vocabulary.result.ResultLink;
import io.sealbook.vocabulary.result.ResultPath;
import io.sealbook.vocabulary.result.ResultRoot;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** Judges result proofs with the genesis file alone. One thread; the signature verifier stays the caller's. */
public final class ResultProofVerifier {
    private final Digest genesisDigest;
    private final CertificateVerifier certificates;

    /**
     * Makes a verifier for one chain.
     *
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public ResultProofVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this.genesisDigest = genesis.digest();
        this.certificates = new CertificateVerifier(genesis, verifier);
    }

    /** Follows the evidence link by link and stops at the first that does not hold. */
    public ResultVerdict verify(ResultProof proof) {
        if (!genesisDigest.equals(proof.genesisDigest())) {
            return new ResultRefused(ResultFault.GENESIS, "proof is of another genesis file");
        }
        List<byte[]> messages;
        try {
            messages = PackedResults.unpack(proof.place().kind(), proof.packed());
        } catch (IllegalArgumentException e) {
            return new ResultRefused(ResultFault.MESSAGES, e.getMessage());
        }
        int index = proof.place().messageIndex();
        if (index < 0 || index >= messages.size()) {
            return new ResultRefused(
                    ResultFault.MESSAGES, "no message " + index + " among " + messages.size() + " of the leaf");
        }
        byte[] message = messages.get(index);
        long block = block(proof.place().kind(), message);
        if (block != proof.sequence()) {
            return new ResultRefused(
                    ResultFault.MESSAGES, "message is of block " + block + ", expected " + proof.sequence());
        }
        return verifyDigest(proof, message);
    }

    private static long block(ResultLeaf.Kind kind, byte[] message) {
        return switch (kind) {
            case REPORT -> ReportFields.of(message).block();
            case TRADE -> TradeFields.of(message).block();
        };
    }

    private ResultVerdict verifyDigest(ResultProof proof, byte[] message) {
        ResultPlace place = proof.place();
        byte[] leaf = ResultLeaf.hash(place.kind(), proof.packed());
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
        return verifySignatures(certificate, message);
    }

    private ResultVerdict verifySignatures(CheckpointCertificate certificate, byte[] message) {
        SortedSet<Integer> signers = certificates.signers(certificate);
        if (signers.size() < certificates.quorum()) {
            return new ResultRefused(
                    ResultFault.SIGNATURES,
                    "valid signatures of nodes " + signers + ", expected of " + certificates.quorum() + " nodes");
        }
        return new ResultProven(message, certificate.sequence(), signers, certificates.quorum());
    }
}
