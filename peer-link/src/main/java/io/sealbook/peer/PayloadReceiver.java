package io.sealbook.peer;

import io.netty.buffer.ByteBuf;
import io.sealbook.peer.frame.Frame;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.frame.FrameVerdict;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.message.MalformedMessageException;
import io.sealbook.peer.message.PayloadCodec;
import io.sealbook.peer.offload.IngressLink;

/** The end of a payload connection: judges each frame, decodes it, and calls the handler. Payload event loop. */
final class PayloadReceiver implements FrameReceiver {
    private final PeerHandler handler;
    private final int epoch;
    private final PeerMetrics metrics;

    /**
     * @param handler takes what is in the frames
     * @param epoch that this node is in
     * @param metrics count what is refused or dropped
     */
    PayloadReceiver(PeerHandler handler, int epoch, PeerMetrics metrics) {
        this.handler = handler;
        this.epoch = epoch;
        this.metrics = metrics;
    }

    @Override
    public void onFrame(ByteBuf frame, IngressLink link) {
        try {
            FrameVerdict verdict = link.authenticator().judge(frame);
            if (verdict == FrameVerdict.GENUINE) {
                dispatch(frame, link);
            } else {
                metrics.refuse(verdict);
                link.refuse("frame is " + verdict);
            }
        } catch (MalformedMessageException e) {
            metrics.malformedPayloads.increment();
            link.refuse(e.getMessage());
        } finally {
            frame.release();
        }
    }

    @Override
    public void onBurstEnd() {
        // Every frame is passed on when it comes.
    }

    private void dispatch(ByteBuf frame, IngressLink link) throws MalformedMessageException {
        FrameType type = FrameType.of(Frame.type(frame));
        if (type == null || !type.travelsOn(ConnectionRole.PAYLOAD)) {
            throw new MalformedMessageException("frame type " + Frame.type(frame) + " among payloads", 0);
        }
        if (!mayCross(type, link.peerEpoch())) {
            metrics.otherEpoch.increment();
            return;
        }
        if (type == FrameType.BATCHES) {
            dispatchBatches(frame, link);
            return;
        }
        int source = link.peerId();
        byte[] payload = bytes(frame, Frame.payloadOffset(frame), Frame.payloadLength(frame));
        switch (type) {
            case BATCH_REQUEST -> handler.onBatchRequest(source, PayloadCodec.decodeBatchRequest(payload));
            case BLOCK_REQUEST -> {
                PayloadCodec.BlockRequest request = PayloadCodec.decodeBlockRequest(payload);
                handler.onBlockRequest(source, request.from(), request.count());
            }
            case BLOCKS -> {
                PayloadCodec.Blocks blocks = PayloadCodec.decodeBlocks(payload);
                handler.onBlocks(source, blocks.from(), blocks.blocks(), blocks.certificateOrNull());
            }
            case HEARTBEAT -> {
                // Its arrival is all it says.
            }
            case BATCHES,
                    PRE_PREPARE,
                    PREPARE,
                    COMMIT,
                    CHECKPOINT,
                    CHECKPOINT_PROOF,
                    SUSPICION,
                    VIEW_CHANGE,
                    NEW_VIEW,
                    BATCH_ACK,
                    ARRIVALS,
                    STATUS -> throw new MalformedMessageException(type + " among payloads", 0);
        }
    }

    /**
     * A peer that is ahead serves blocks, and may lack some that this node has. Batches are of no use to either: this
     * node comes to the other epoch by blocks, and its key may be one that the chain has replaced since.
     */
    private boolean mayCross(FrameType type, int peerEpoch) {
        return peerEpoch <= epoch || type != FrameType.BATCHES && type != FrameType.BATCH_REQUEST;
    }

    private void dispatchBatches(ByteBuf frame, IngressLink link) {
        FrameAuthenticator judge = link.authenticator();
        int at = Frame.payloadOffset(frame);
        for (int i = 0; i < judge.batchCount(); i++) {
            int length = frame.getIntLE(frame.readerIndex() + at);
            at += Frame.BATCH_LENGTH_FIELD;
            handler.onPayload(link.peerId(), judge.batchId(i), bytes(frame, at, length));
            at += length;
        }
    }

    private static byte[] bytes(ByteBuf frame, int offset, int length) {
        byte[] bytes = new byte[length];
        frame.getBytes(frame.readerIndex() + offset, bytes);
        return bytes;
    }
}
