package io.sealbook.node.transfer;

import io.sealbook.archive.CertificateSignature;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.Quorum;
import io.sealbook.protocol.v1.Genesis;
import java.util.List;

/** Checks whether a certificate bears the valid signatures of a quorum of distinct members. One thread at a time. */
public final class CertificateChecker {
    private final long chainId;
    private final int quorum;
    private final List<VerificationKey> keys;
    private final SignatureVerifier verifier;

    public CertificateChecker(Genesis genesis, SignatureVerifier verifier) {
        this.chainId = genesis.getChainId();
        this.quorum = Quorum.of(genesis.getNodesCount()).size();
        this.keys = genesis.getNodesList().stream()
                .map(node -> VerificationKey.of(
                        SignatureScheme.of(node.getIdentity().getSchemeValue()),
                        node.getIdentity().getPoint().toByteArray()))
                .toList();
        this.verifier = verifier;
    }

    public boolean isValid(CheckpointCertificate certificate) {
        byte[] signed = certificate.signedBytes(chainId);
        SignatureBatch batch = new SignatureBatch(keys.size());
        long seen = 0;
        for (CertificateSignature signature : certificate.signatures()) {
            int node = signature.nodeId();
            if (node < 0 || node >= keys.size() || (seen & 1L << node) != 0) {
                return false;
            }
            seen |= 1L << node;
            batch.add(keys.get(node), signed, 0, signed.length, signature.signature(), 0);
        }
        return batch.size() >= quorum && verifier.verify(batch) == batch.size();
    }
}
