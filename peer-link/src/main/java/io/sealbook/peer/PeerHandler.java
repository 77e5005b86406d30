package io.sealbook.peer;

import io.sealbook.vocabulary.Digest;
import java.util.List;

/**
 * What happens on the payload connections. Called on network event loops: must not block. Whatever comes here was sent by that peer in
 * this session, untouched; whether it makes sense is for the receiver to judge.
 */
public interface PeerHandler {
    /**
     * A peer pushes a batch.
     *
     * @param batchId checked to be SHA-256 of the batch without its signature
     * @param signedBatch the batch and its signature, which nobody has verified yet; the handler's
     */
    void onPayload(int source, Digest batchId, byte[] signedBatch);

    /** A peer asks for batches by id. */
    void onBatchRequest(int source, List<Digest> batchIds);

    /** A peer asks for {@code count} archived blocks from a sequence number on. */
    void onBlockRequest(int source, long from, int count);

    /** A peer sends archived blocks with consecutive sequence numbers, the first being {@code from}. */
    void onBlocks(int source, long from, List<byte[]> blocks, byte[] certificateOrNull);

    /** Both connections to the peer stand. */
    void onConnected(int peer);

    /** A connection to the peer was lost; both must stand again before {@link #onConnected} is called. */
    void onDisconnected(int peer);
}
