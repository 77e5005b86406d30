package io.sealbook.peer;

import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.Message;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.frame.FramedBatch;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.handshake.HandshakeContext;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.peer.offload.AgentOffload;
import io.sealbook.peer.offload.EventLoopOffload;
import io.sealbook.peer.offload.IngressOffload;
import io.sealbook.peer.offload.OffloadConfig;
import io.sealbook.peer.offload.VoteKey;
import io.sealbook.protocol.v1.Node;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;

/**
 * A node's connections to all other nodes. Sending never blocks and never fails: what cannot be sent is dropped and counted, because
 * the protocol repairs a lost message by itself and nothing else can. Any thread.
 */
public final class PeerTransport implements AutoCloseable {
    private final PeerConfig config;
    private final IngressOffload offload;
    private final VoteReceiver voteReceiver;
    private final ConnectedPeers connectedPeers;
    private final Connections votes;
    private final Connections payloads;

    public PeerTransport(PeerConfig config, PeerHandler handler, MeterRegistry registry) {
        this.config = config;
        List<VerificationKey> identities = config.genesis().genesis().getNodesList().stream()
                .map(PeerTransport::identity)
                .toList();
        long chainId = config.genesis().genesis().getChainId();
        HandshakeContext handshakes = new HandshakeContext(
                config.nodeId(),
                chainId,
                config.genesis().digest(),
                identities,
                config.identity(),
                config.verifier(),
                new SecureRandom());
        OffloadConfig offloadConfig = new OffloadConfig(
                chainId,
                identities,
                config.verifier(),
                config.messageLog(),
                config.limits().inboxPerPeerMax());
        offload = switch (config.offload()) {
            case EVENT_LOOP -> new EventLoopOffload(offloadConfig, registry);
            case AGENT -> new AgentOffload(offloadConfig, registry);
        };
        voteReceiver = new VoteReceiver(offload);
        connectedPeers = new ConnectedPeers(config.nodeCount(), handler);
        PeerMetrics voteMetrics = new PeerMetrics(registry, ConnectionRole.VOTE);
        PeerMetrics payloadMetrics = new PeerMetrics(registry, ConnectionRole.PAYLOAD);
        votes = new Connections(ConnectionRole.VOTE, config, handshakes, voteReceiver, voteMetrics, connectedPeers);
        payloads = new Connections(
                ConnectionRole.PAYLOAD,
                config,
                handshakes,
                new PayloadReceiver(handler, payloadMetrics, config.nodeCount()),
                payloadMetrics,
                connectedPeers);
    }

    /**
     * Binds both ports and begins to connect.
     *
     * @throws IOException if a port cannot be bound; the transport is closed then
     */
    public void start() throws IOException {
        try {
            votes.start();
            payloads.start();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** Returns the votes of the others. */
    public PeerInbox inbox() {
        return voteReceiver;
    }

    /** Returns the peers to which both connections stand. */
    public Set<Integer> connected() {
        return connectedPeers.connected();
    }

    public void send(int to, Message message) {
        votes.outbox().submit(to, VoteKey.contentOf(message));
    }

    /** Sends to all other nodes. */
    public void broadcast(Message message) {
        votes.outbox().submit(Outbox.ALL, VoteKey.contentOf(message));
    }

    /** @param signedBatch not to be changed any more */
    public void sendPayload(int to, byte[] signedBatch) {
        sendPayload(to, BatchId.of(signedBatch), signedBatch);
    }

    /**
     * Sends a batch whose id is known already.
     *
     * @param batchId SHA-256 of the batch without its signature; a wrong one makes the receiver close the connection
     * @param signedBatch not to be changed any more
     */
    public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
        payloads.outbox().submit(to, new FramedBatch(batchId, signedBatch));
    }

    /** Sends batches to all other nodes. */
    public void broadcastPayload(byte[]... signedBatches) {
        for (byte[] signedBatch : signedBatches) {
            broadcastPayload(BatchId.of(signedBatch), signedBatch);
        }
    }

    /** Sends a batch whose id is known already to all other nodes; see {@link #sendPayload(int, Digest, byte[])}. */
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        payloads.outbox().submit(Outbox.ALL, new FramedBatch(batchId, signedBatch));
    }

    /** Asks a peer for batches; they come, if at all, by {@link PeerHandler#onPayload}. */
    public void requestBatches(int to, List<Digest> batchIds) {
        payloads.outbox()
                .submit(to, FrameContent.of(FrameType.BATCH_REQUEST, PayloadCodec.encodeBatchRequest(batchIds)));
    }

    /** Asks a peer for archived blocks; they come, if at all, by {@link PeerHandler#onBlocks}. */
    public void requestBlocks(int to, long from, int count) {
        payloads.outbox()
                .submit(to, FrameContent.of(FrameType.BLOCK_REQUEST, PayloadCodec.encodeBlockRequest(from, count)));
    }

    /**
     * Sends as many of the blocks as go into one frame; who wants the rest asks again.
     *
     * @param blocks with consecutive sequence numbers, the first being {@code from}
     * @return how many were sent, possibly 0
     */
    public int sendBlocks(int to, long from, List<byte[]> blocks, byte[] certificateOrNull) {
        int count =
                PayloadCodec.fitting(blocks, certificateOrNull, config.limits().payloadLengthMax());
        byte[] payload = PayloadCodec.encodeBlocks(from, blocks.subList(0, count), certificateOrNull);
        payloads.outbox().submit(to, FrameContent.of(FrameType.BLOCKS, payload));
        return count;
    }

    /** Closes all connections and ends the event loops. The agent must not drain the inbox any more. */
    @Override
    public void close() {
        votes.close();
        payloads.close();
        offload.close();
    }

    private static VerificationKey identity(Node node) {
        return VerificationKey.of(
                SignatureScheme.of(node.getIdentity().getSchemeValue()),
                node.getIdentity().getPoint().toByteArray());
    }
}
