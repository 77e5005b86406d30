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
 * @param laterIdentities identity key of each node in a later epoch; empty if none is known. A peer that says it is
 *     ahead may prove one: it casts no vote here
 * @param signer of this node; peers refuse it until they are in an epoch that has its key
 */
public record HandshakeContext(
        int nodeId,
        Epoch epoch,
        Digest genesisDigest,
        List<VerificationKey> identities,
        List<VerificationKey> laterIdentities,
        Signer signer,
        SignatureVerifier verifier,
        SecureRandom random) {

    public HandshakeContext {
        identities = List.copyOf(identities);
        laterIdentities = List.copyOf(laterIdentities);
    }

    /** A context of a node that knows the identities of its epoch alone. */
    public HandshakeContext(
            int nodeId,
            Epoch epoch,
            Digest genesisDigest,
            List<VerificationKey> identities,
            Signer signer,
            SignatureVerifier verifier,
            SecureRandom random) {
        this(nodeId, epoch, genesisDigest, identities, List.of(), signer, verifier, random);
    }

    long chainId() {
        return epoch.chainId();
    }

    /** Returns whether a signature is that of the node which a hello names, as of the epoch which it names. */
    boolean isSignedBy(Hello peer, byte[] message, byte[] signature) {
        return isSignedBy(identities.get(peer.nodeId()), message, signature)
                || peer.epoch() > epoch.number()
                        && peer.nodeId() < laterIdentities.size()
                        && isSignedBy(laterIdentities.get(peer.nodeId()), message, signature);
    }

    private boolean isSignedBy(VerificationKey identity, byte[] message, byte[] signature) {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(identity, message, signature);
        return verifier.verify(batch) == 1;
    }
}
