package io.sealbook.peer;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * Receives what arrives on the payload connections. Called on network event loops: must not block. Its bytes are
 * exactly those that the peer sent in this session; the receiver decides whether they make sense.
 */
public interface PeerHandler {
    /**
     * A peer sends a batch.
     *
     * @param source node that sent it, from 0
     * @param batchId checked to be SHA-256 of the batch without its signature
     * @param signedBatch the batch and its signature, which is not verified yet; the handler's
     */
    void onPayload(int source, Digest batchId, byte[] signedBatch);

    /**
     * A peer requests batches.
     *
     * @param source node that sends the request, from 0
     * @param ranges in the order of the request; the number is limited by the length of a frame only
     */
    void onBatchRequest(int source, List<BatchRange> ranges);

    /**
     * A peer requests archived blocks.
     *
     * @param source node that sends the request, from 0
     * @param from sequence of the first block, 1 or more
     * @param count number of blocks, 1 or more
     */
    void onBlockRequest(int source, long from, int count);

    /**
     * A peer sends archived blocks with consecutive sequences.
     *
     * @param source node that sent them, from 0
     * @param from sequence that the peer states for the first block, 1 or more
     * @param blocks not checked; the handler's
     * @param certificateOrNull certificate of one of them or of a later block, not checked; null if there is none
     */
    void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull);

    /**
     * Both connections to the peer are established.
     *
     * @param peer another node, from 0
     * @param epoch that the peer is in; votes between different epochs do not count
     */
    void onConnected(int peer, int epoch);

    /**
     * A peer of an earlier epoch speaks as if that went on: it may have lost the proof that it ended. Called for each
     * of its STATUS messages.
     *
     * @param peer another node, from 0
     * @param epoch that the peer is in
     */
    void onLaggard(int peer, int epoch);

    /**
     * A period of the vote connections is over. Called on their event loop, at most once per
     * {@link PeerLimits#voteHeartbeatMs}.
     *
     * @param peers bit p is set if something of node p arrived in the period, or the node does not read from it at
     *     present
     * @param connected bit p is set if there is a vote connection to node p
     */
    void onHeard(long peers, long connected);

    /**
     * A handshake has ended because a peer refuses this node's id or key: its epoch has another key for the node, or
     * none. Not proven: any process at the other end can say so. Called on an event loop, for each such handshake.
     *
     * @param peer another node, from 0, as the other end says or this node has dialed
     */
    void onIdentityRefused(int peer);

    /** A connection to the peer was lost; both must be established again before {@link #onConnected} is called. */
    void onDisconnected(int peer);
}
