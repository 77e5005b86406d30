package io.sealbook.archive.proof;

import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Counts the nodes that signed a checkpoint certificate, by the keys of the membership in effect for its block: the
 * nodes of the epoch that the block belongs to. Any thread; the signature verifier stays the caller's.
 */
public final class CertificateVerifier {
    private final SignatureVerifier verifier;

    public CertificateVerifier(SignatureVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Returns whether at least a quorum of distinct nodes signed.
     *
     * @param certificate of any block
     * @param membership in effect for the block of the certificate
     */
    public boolean isCertified(CheckpointCertificate certificate, Membership membership) {
        return signers(certificate, membership).size() >= membership.quorum();
    }

    /**
     * Returns the nodes with a valid signature. Unknown nodes do not count; a node with two signatures counts once.
     *
     * @param certificate of any block
     * @param membership in effect for the block of the certificate
     */
    public SortedSet<Integer> signers(CheckpointCertificate certificate, Membership membership) {
        byte[] signedBytes = certificate.signedBytes(membership.terms().getChainId());
        int nodeCount = membership.terms().getNodesCount();
        List<Integer> nodes = new ArrayList<>();
        Set<CertificateSignature> seen = new HashSet<>();
        SignatureBatch batch =
                new SignatureBatch(Math.max(1, certificate.signatures().size()));
        for (CertificateSignature signature : certificate.signatures()) {
            if (signature.nodeId() < nodeCount && seen.add(signature)) {
                batch.add(membership.identity(signature.nodeId()), signedBytes, signature.signature());
                nodes.add(signature.nodeId());
            }
        }
        SortedSet<Integer> signers = new TreeSet<>();
        if (verifier.verify(batch) > 0) {
            for (int i = 0; i < nodes.size(); i++) {
                if (batch.isValid(i)) {
                    signers.add(nodes.get(i));
                }
            }
        }
        return signers;
    }
}
