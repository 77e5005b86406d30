package io.sealbook.peer.handshake;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.vocabulary.Digest;
import java.security.SecureRandom;
import java.util.List;

/**
 * What a node brings to every handshake.
 *
 * @param nodeId index of this node in {@code identities}
 * @param genesisDigest digest of this node's genesis file
 * @param identities identity key of each node
 * @param signer signs as this node
 */
public record HandshakeContext(
        int nodeId,
        long chainId,
        Digest genesisDigest,
        List<VerificationKey> identities,
        Signer signer,
        SignatureVerifier verifier,
        SecureRandom random) {

    public HandshakeContext {
        identities = List.copyOf(identities);
        if (!signer.verificationKey().equals(identities.get(nodeId))) {
            throw new IllegalArgumentException("the key of node " + nodeId + " is not the one in the genesis file");
        }
    }

    boolean isSignedBy(int peerId, byte[] message, byte[] signature) {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(identities.get(peerId), message, signature);
        return verifier.verify(batch) == 1;
    }
}
