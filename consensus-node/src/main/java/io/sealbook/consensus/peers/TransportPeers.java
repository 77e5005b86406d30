package io.sealbook.consensus.peers;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.PeerTransport;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Set;

/**
 * The other members, reached by the transport. The transport is opened after what uses it here: it needs the nodes of
 * the epoch, which the archive names. Any thread.
 */
public final class TransportPeers implements Speech {
    private PeerTransport transport;

    /** Gives the transport; before anything is sent and before any thread runs. */
    public void connect(PeerTransport opened) {
        transport = opened;
    }

    @Override
    public void send(int to, Message message) {
        transport.send(to, message);
    }

    @Override
    public void broadcast(Message message) {
        transport.broadcast(message);
    }

    @Override
    public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
        transport.sendPayload(to, batchId, signedBatch);
    }

    @Override
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        transport.broadcastPayload(batchId, signedBatch);
    }

    @Override
    public void requestBatches(int to, List<BatchRange> ranges) {
        transport.requestBatches(to, ranges);
    }

    @Override
    public void requestBlocks(int to, long from, int count) {
        transport.requestBlocks(to, from, count);
    }

    @Override
    public void sendBlocks(int to, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        transport.sendBlocks(to, from, blocks, certificateOrNull);
    }

    @Override
    public Set<Integer> connected() {
        return transport.connected();
    }

    @Override
    public void discardThrough(long stableSequence) {
        transport.inbox().discardThrough(stableSequence);
    }
}
