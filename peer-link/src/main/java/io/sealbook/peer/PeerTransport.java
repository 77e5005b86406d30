package io.sealbook.peer;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Epoch;
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
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A node's connections to all other nodes. Sending never blocks and never fails: a message that cannot be sent is
 * dropped and counted, because the protocol repairs the loss of a message. Any thread.
 */
public final class PeerTransport implements AutoCloseable {
    private final PeerConfig config;
    private final IngressOffload offload;
    private final VoteReceiver voteReceiver;
    private final ConnectedPeers connectedPeers;
    private final Connections votes;
    private final Connections payloads;

    /**
     * Opens an event loop for each role; listens and connects with {@link #start}.
     *
     * @param config of this member
     * @param handler takes what peers send but votes
     * @param registry of the meters
     */
    public PeerTransport(PeerConfig config, PeerHandler handler, MeterRegistry registry) {
        this(config, handler, registry, role -> RoleLoop.open(role, config.nodeId()));
    }

    /**
     * Uses one event loop for all connections.
     *
     * @param config of this member
     * @param handler takes what peers send but votes
     * @param registry of the meters
     * @param loop one event loop, which the caller ends after {@link #close}
     */
    public PeerTransport(PeerConfig config, PeerHandler handler, MeterRegistry registry, EventLoopGroup loop) {
        this(config, handler, registry, role -> RoleLoop.shared(loop));
    }

    private PeerTransport(
            PeerConfig config, PeerHandler handler, MeterRegistry registry, Function<ConnectionRole, RoleLoop> loops) {
        this.config = config;
        EpochNodes nodes = config.nodes();
        List<VerificationKey> identities = nodes.identities();
        Epoch epoch = new Epoch(nodes.terms().getChainId(), nodes.epoch());
        HandshakeContext handshakes = new HandshakeContext(
                config.nodeId(),
                epoch,
                nodes.genesisDigest(),
                identities,
                nodes.laterIdentities(),
                config.identity(),
                config.verifier(),
                new SecureRandom());
        OffloadConfig offloadConfig = new OffloadConfig(
                epoch,
                nodes.origin(),
                identities,
                config.verifier(),
                config.messageLog(),
                nodes.terms().getParameters().getLogWindow(),
                nodes.terms().getParameters().getBlockMaxBatches(),
                config.limits().inboxPerPeerMax(),
                handler::onLaggard);
        offload = switch (config.offload()) {
            case EVENT_LOOP -> new EventLoopOffload(offloadConfig, registry);
            case AGENT -> new AgentOffload(offloadConfig, registry);
        };
        voteReceiver = new VoteReceiver(offload);
        connectedPeers = new ConnectedPeers(config.nodeCount(), handler);
        PeerMetrics voteMetrics = new PeerMetrics(registry, ConnectionRole.VOTE);
        PeerMetrics payloadMetrics = new PeerMetrics(registry, ConnectionRole.PAYLOAD);
        votes = new Connections(
                ConnectionRole.VOTE,
                config,
                handshakes,
                voteReceiver,
                voteMetrics,
                loops.apply(ConnectionRole.VOTE),
                connectedPeers);
        payloads = new Connections(
                ConnectionRole.PAYLOAD,
                config,
                handshakes,
                new PayloadReceiver(handler, nodes.epoch(), payloadMetrics),
                payloadMetrics,
                loops.apply(ConnectionRole.PAYLOAD),
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

    /** Returns the peers to which both connections are established. */
    public Set<Integer> connected() {
        return connectedPeers.connected();
    }

    /**
     * Sends a vote to one node.
     *
     * @param to another node, from 0
     * @param message kept until it is sent
     */
    public void send(int to, Message message) {
        votes.outbox().submit(to, VoteKey.contentOf(message));
    }

    /** Sends a vote to all other nodes. */
    public void broadcast(Message message) {
        votes.outbox().submit(Outbox.ALL, VoteKey.contentOf(message));
    }

    /**
     * Sends a batch to one node and computes its id.
     *
     * @param to another node, from 0
     * @param signedBatch must not change afterwards
     * @throws IllegalArgumentException if it is not longer than a signature
     */
    public void sendPayload(int to, byte[] signedBatch) {
        sendPayload(to, BatchId.of(signedBatch), signedBatch);
    }

    /**
     * Sends a batch to one node.
     *
     * @param to another node, from 0
     * @param batchId SHA-256 of the batch without its signature; a wrong one makes the receiver close the connection
     * @param signedBatch must not change afterwards
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

    /**
     * Sends a batch to all other nodes.
     *
     * @param batchId SHA-256 of the batch without its signature; a wrong one makes the receivers close the connection
     * @param signedBatch must not change afterwards
     */
    public void broadcastPayload(Digest batchId, byte[] signedBatch) {
        payloads.outbox().submit(Outbox.ALL, new FramedBatch(batchId, signedBatch));
    }

    /**
     * Requests batches from a peer. Those that it has come to {@link PeerHandler#onPayload}.
     *
     * @param to another node, from 0
     * @param ranges in any order
     */
    public void requestBatches(int to, List<BatchRange> ranges) {
        payloads.outbox().submit(to, FrameContent.of(FrameType.BATCH_REQUEST, PayloadCodec.encodeBatchRequest(ranges)));
    }

    /**
     * Requests archived blocks from a peer. Those that it has come to {@link PeerHandler#onBlocks}.
     *
     * @param to another node, from 0
     * @param from sequence of the first block, 1 or more
     * @param count number of blocks, 1 or more
     */
    public void requestBlocks(int to, long from, int count) {
        payloads.outbox()
                .submit(to, FrameContent.of(FrameType.BLOCK_REQUEST, PayloadCodec.encodeBlockRequest(from, count)));
    }

    /**
     * Sends those of the first blocks that fit into one frame; a peer that lacks the rest requests them again.
     *
     * @param to another node, from 0
     * @param from sequence of the first block, 1 or more
     * @param blocks with consecutive sequences; must not change afterwards
     * @param certificateOrNull encoded certificate that goes with them; null if there is none
     * @return number of blocks sent, possibly 0
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
}
