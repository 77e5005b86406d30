package io.sealbook.peer.offload;

import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.peer.messagelog.MessageLogConfig;
import java.util.List;

/**
 * What an offload needs to know.
 *
 * @param epoch in which votes count
 * @param identities identity key of each node in this epoch
 * @param perPeerMax weight of one peer's votes that wait for the agent before nothing more is read from it
 */
public record OffloadConfig(
        Epoch epoch,
        List<VerificationKey> identities,
        SignatureVerifier verifier,
        MessageLogConfig messageLog,
        int perPeerMax) {
    public OffloadConfig {
        identities = List.copyOf(identities);
        if (perPeerMax < 1 || perPeerMax > 1 << 16) {
            throw new IllegalArgumentException("perPeerMax is " + perPeerMax);
        }
    }

    /** Returns room for every peer's share twice: what was read in one go may come on top of it. */
    int ringCapacity() {
        int votes = 2 * identities.size() * perPeerMax;
        return Integer.highestOneBit(Math.max(1 << 12, votes) - 1) << 1;
    }
}
