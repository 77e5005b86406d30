package io.sealbook.fuzz;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.sealbook.crypto.BouncyCastleProvider;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.peer.frame.Frame;
import io.sealbook.peer.frame.FrameAuthenticator;
import io.sealbook.peer.frame.FrameCode;
import io.sealbook.peer.frame.FrameContent;
import io.sealbook.peer.frame.FrameDecoder;
import io.sealbook.peer.frame.FrameEncoder;
import io.sealbook.peer.frame.FrameType;
import io.sealbook.peer.frame.FrameVerdict;
import io.sealbook.peer.frame.FramedBatch;
import io.sealbook.peer.frame.MalformedFrameException;
import io.sealbook.peer.handshake.AcceptorHandshake;
import io.sealbook.peer.handshake.ConnectionRole;
import io.sealbook.peer.handshake.DialerHandshake;
import io.sealbook.peer.handshake.HandshakeContext;
import io.sealbook.peer.handshake.HandshakeException;
import io.sealbook.peer.message.PeerMessageCodec;
import io.sealbook.peer.record.RecordDecoder;
import io.sealbook.peer.record.RecordEncoder;
import io.sealbook.vocabulary.Sha256;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Bytes on a connection between nodes before anything is known to be a peer's. */
final class LinkDecoders {
    private static final int PEER = 2;
    private static final int SELF = 1;
    private static final int NODES = 4;
    private static final int HELLO_LENGTH = 128;
    private static final int PAYLOAD_MAX = 1 << 16;
    private static final long FRAMES_PER_KEY = 1_024;
    private static final byte[] KEY = new byte[32];

    private LinkDecoders() {}

    static List<Decoder> all() {
        return List.of(
                new Decoder("frame", LinkDecoders::frames, bytes -> frames(bytes, false)),
                new Decoder("frame-of-peer", LinkDecoders::frames, bytes -> frames(bytes, true)),
                new Decoder("link-record", LinkDecoders::records, LinkDecoders::record),
                new Decoder(
                        "handshake-of-dialer",
                        () -> List.of(dialer().hello()),
                        Promises.refuses(HandshakeException.class, LinkDecoders::accept)),
                new Decoder("handshake-of-acceptor", LinkDecoders::answers, LinkDecoders::answer));
    }

    private static HandshakeContext context(int node) {
        return new HandshakeContext(
                node,
                Epoch.first(SampleChain.CHAIN_ID),
                SampleChain.GENESIS.digest(),
                SampleChain.identities(),
                SampleChain.key(node).signer(),
                SignatureProviders.named(BouncyCastleProvider.NAME),
                new SecureRandom());
    }

    private static DialerHandshake dialer() {
        return new DialerHandshake(context(PEER), ConnectionRole.VOTE, SELF, 0);
    }

    /** The dialer's hello, then its proof. */
    private static Object accept(byte[] bytes) throws HandshakeException {
        AcceptorHandshake acceptor = new AcceptorHandshake(Contexts.ACCEPTOR, ConnectionRole.VOTE, 0);
        int helloLength = Math.min(bytes.length, HELLO_LENGTH);
        acceptor.onHello(Arrays.copyOf(bytes, helloLength));
        acceptor.hello();
        return acceptor.onAuth(Arrays.copyOfRange(bytes, helloLength, bytes.length));
    }

    private static List<byte[]> answers() {
        try {
            AcceptorHandshake acceptor = new AcceptorHandshake(context(SELF), ConnectionRole.VOTE, 0);
            acceptor.onHello(dialer().hello());
            return List.of(acceptor.hello());
        } catch (HandshakeException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void answer(byte[] bytes) {
        DialerHandshake dialer = new DialerHandshake(Contexts.DIALER, ConnectionRole.VOTE, SELF, 0);
        try {
            dialer.onHello(bytes);
            throw new AssertionError("the answer to another hello was taken");
        } catch (HandshakeException e) {
            // No answer from before fits a hello with a new nonce.
        }
        try {
            dialer.onConfirm(bytes);
            throw new AssertionError("a confirmation without a hello was taken");
        } catch (HandshakeException e) {
            // As it should be.
        }
    }

    private static List<byte[]> frames() {
        FrameCode[] codes = new FrameCode[NODES];
        codes[SELF] = new FrameCode(KEY, 0, FRAMES_PER_KEY);
        FrameEncoder encoder = new FrameEncoder(PEER, NODES);
        byte[] vote = PeerMessageCodec.encode(SampleMessages.messages().get(1));
        byte[] first = bytes(
                encoder.encode(Unpooled.buffer().alloc(), new FrameContent(FrameType.PREPARE, 3, 17, vote), codes));
        byte[] second = bytes(encoder.encodeBatches(
                Unpooled.buffer().alloc(),
                List.of(
                        new FramedBatch(SampleChain.batchId(0), SampleChain.batch(0)),
                        new FramedBatch(SampleChain.batchId(1), SampleChain.batch(1))),
                codes));
        byte[] third = bytes(encoder.encode(Unpooled.buffer().alloc(), FrameContent.heartbeat(), codes));
        return List.of(first, second, Sealing.joined(first, second, third));
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    /**
     * Cuts bytes into frames and judges each.
     *
     * @param bytes of the stream, in two reads
     * @param isPeer whether the sender has the key: its codes are right, whatever they cover
     */
    private static void frames(byte[] bytes, boolean isPeer) {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(PAYLOAD_MAX));
        FrameAuthenticator judge = new FrameAuthenticator(PEER, SELF, new FrameCode(KEY, 0, FRAMES_PER_KEY), 0);
        try {
            int middle = bytes.length / 2;
            channel.writeInbound(Unpooled.wrappedBuffer(bytes, 0, middle));
            channel.writeInbound(Unpooled.wrappedBuffer(bytes, middle, bytes.length - middle));
        } catch (DecoderException e) {
            Promises.require(e.getCause() instanceof MalformedFrameException, "refused with " + e);
        } finally {
            for (ByteBuf frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
                judge(judge, isPeer ? sealed(frame) : frame);
                frame.release();
            }
            finish(channel);
        }
    }

    /** What is left of a frame at the end is the beginning of one, or refused again. */
    private static void finish(EmbeddedChannel channel) {
        try {
            channel.finishAndReleaseAll();
        } catch (DecoderException e) {
            Promises.require(e.getCause() instanceof MalformedFrameException, "refused with " + e);
        }
    }

    private static void judge(FrameAuthenticator judge, ByteBuf frame) {
        if (judge.judge(frame) != FrameVerdict.GENUINE) {
            return;
        }
        FrameType type = FrameType.of(Frame.type(frame));
        int end = Frame.payloadOffset(frame) + Frame.payloadLength(frame);
        Promises.require(end == frame.readableBytes(), "a frame ends elsewhere");
        if (type == FrameType.BATCHES) {
            int at = Frame.payloadOffset(frame);
            for (int i = 0; i < judge.batchCount(); i++) {
                judge.batchId(i);
                at += Frame.BATCH_LENGTH_FIELD + frame.getIntLE(frame.readerIndex() + at);
            }
            Promises.require(at == end, "batches end elsewhere");
        }
    }

    /** Returns a copy with the digest of its payload, unless it holds batches, and the code of these bytes. */
    private static ByteBuf sealed(ByteBuf frame) {
        ByteBuf sealed = frame.copy();
        if (Frame.payloadOffset(frame) < Frame.payloadOffset(SELF + 1)) {
            return sealed;
        }
        if (Frame.type(frame) != FrameType.BATCHES.code()) {
            byte[] payload = new byte[Frame.payloadLength(frame)];
            frame.getBytes(Frame.payloadOffset(frame), payload);
            sealed.setBytes(Frame.DIGEST_OFFSET, Sha256.of(payload));
        }
        byte[] covered = new byte[Frame.COVERED_LENGTH];
        sealed.getBytes(0, covered);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
            return sealed.setBytes(Frame.payloadOffset(SELF), mac.doFinal(covered), 0, Frame.CODE_LENGTH);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static List<byte[]> records() {
        EmbeddedChannel channel = new EmbeddedChannel(new RecordEncoder(KEY));
        channel.writeOutbound(Unpooled.wrappedBuffer(frames().getFirst()));
        byte[] record = bytes(channel.<ByteBuf>readOutbound());
        channel.finishAndReleaseAll();
        return List.of(record);
    }

    private static void record(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(new RecordDecoder(KEY));
        try {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        } catch (DecoderException e) {
            Promises.require(e.getCause() instanceof MalformedFrameException, "refused with " + e);
        } finally {
            finish(channel);
        }
    }

    /** Made once: the search for a verifier takes longer than a handshake. */
    private static final class Contexts {
        static final HandshakeContext ACCEPTOR = context(SELF);
        static final HandshakeContext DIALER = context(PEER);
    }
}
