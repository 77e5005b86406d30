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
 * @param originSequence last block before the epoch, 0 if there is none: what is said of blocks up to it is settled
 * @param identities identity key of each node in this epoch
 * @param verifier verifies the signatures inside votes; stays the caller's
 * @param messageLog size of the table of checked votes
 * @param windowMax block numbers between the watermarks
 * @param batchesMax batches that a block names
 * @param perPeerMax weight of one peer's votes that wait for the agent before nothing more is read from it
 * @param laggards hears of peers that speak in an earlier epoch
 */
public record OffloadConfig(
        Epoch epoch,
        long originSequence,
        List<VerificationKey> identities,
        SignatureVerifier verifier,
        MessageLogConfig messageLog,
        int windowMax,
        int batchesMax,
        int perPeerMax,
        Laggards laggards) {

    /** Notified, on the thread that checks votes, of each STATUS of a peer whose epoch has ended here. */
    public interface Laggards {
        /**
         * A peer has spoken as a node of an earlier epoch.
         *
         * @param peer node, from 0
         * @param epoch that the peer is in
         */
        void onLaggard(int peer, int epoch);
    }

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
