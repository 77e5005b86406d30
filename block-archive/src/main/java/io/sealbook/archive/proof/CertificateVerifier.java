package io.sealbook.archive.proof;

import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Counts the nodes that signed a checkpoint certificate, by the keys of the genesis file. Any thread; the signature
 * verifier stays the caller's.
 */
public final class CertificateVerifier {
    private final long chainId;
    private final List<VerificationKey> nodeKeys = new ArrayList<>();
    private final SignatureVerifier verifier;

    public CertificateVerifier(GenesisFile genesis, SignatureVerifier verifier) {
        this.chainId = genesis.genesis().getChainId();
        this.verifier = verifier;
        for (Node node : genesis.genesis().getNodesList()) {
            SignatureScheme scheme = SignatureScheme.of(node.getIdentity().getSchemeValue());
            nodeKeys.add(
                    VerificationKey.of(scheme, node.getIdentity().getPoint().toByteArray()));
        }
    }

    /**
     * Returns Q = ceil((n + f + 1) / 2) with f = floor((n - 1) / 3): any two sets of that size share an honest node.
     */
    public int quorum() {
        int n = nodeKeys.size();
        int f = (n - 1) / 3;
        return (n + f + 2) / 2;
    }

    /** Returns whether at least a quorum of distinct nodes signed. */
    public boolean isCertified(CheckpointCertificate certificate) {
        return signers(certificate).size() >= quorum();
    }

    /** Returns the nodes with a valid signature. Unknown nodes do not count; a node with two signatures counts once. */
    public SortedSet<Integer> signers(CheckpointCertificate certificate) {
        byte[] signedBytes = certificate.signedBytes(chainId);
        List<Integer> nodes = new ArrayList<>();
        Set<CertificateSignature> seen = new HashSet<>();
        SignatureBatch batch =
                new SignatureBatch(Math.max(1, certificate.signatures().size()));
        for (CertificateSignature signature : certificate.signatures()) {
            if (signature.nodeId() < nodeKeys.size() && seen.add(signature)) {
                batch.add(nodeKeys.get(signature.nodeId()), signedBytes, signature.signature());
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
