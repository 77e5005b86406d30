package io.sealbook.peer.handshake;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.vocabulary.Digest;
import java.security.SecureRandom;
import java.util.List;

/**
 * What a node brings to every handshake.
 *
 * @param nodeId index of this node in {@code identities}
 * @param epoch of the chain that this node is in
 * @param genesisDigest digest of this node's genesis file
 * @param identities identity key of each node in this epoch
 * @param signer of this node; peers refuse it until they are in an epoch that has its key
 */
public record HandshakeContext(
        int nodeId,
        Epoch epoch,
        Digest genesisDigest,
        List<VerificationKey> identities,
        Signer signer,
        SignatureVerifier verifier,
        SecureRandom random) {

    public HandshakeContext {
        identities = List.copyOf(identities);
    }

    long chainId() {
        return epoch.chainId();
    }

    boolean isSignedBy(int peerId, byte[] message, byte[] signature) {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(identities.get(peerId), message, signature);
        return verifier.verify(batch) == 1;
    }
}
