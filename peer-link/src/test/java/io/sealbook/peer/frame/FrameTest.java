package io.sealbook.peer.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

class FrameTest {
    private static final int NODE_COUNT = 4;
    private static final int SENDER = 3;
    private static final long FRAMES_PER_KEY = 10;

    private final Random random = new Random(11);
    private final byte[][] keys = keys();
    private final FrameEncoder encoder = new FrameEncoder(SENDER, NODE_COUNT);
    private final FrameCode[] codes = codes();
    private final FrameAuthenticator[] receivers = new FrameAuthenticator[NODE_COUNT];

    FrameTest() {
        for (int i = 0; i < SENDER; i++) {
            receivers[i] = receiver(i, keys[i]);
        }
    }

    @Test
    void shouldServeAllReceiversWithOneFrame() {
        for (int i = 0; i < 100; i++) {
            ByteBuf frame = frame(new byte[random.nextInt(2_000)]);
            for (int receiver = 0; receiver < SENDER; receiver++) {
                assertThat(receivers[receiver].judge(frame)).isEqualTo(FrameVerdict.GENUINE);
            }
        }
    }

    @Test
    void shouldLayOutTheFrameAsDrawn() throws GeneralSecurityException {
        byte[] payload = {1, 2, 3};
        ByteBuf frame = encode(new FrameContent(FrameType.PREPARE, 7, 9, payload));
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(payload);
        byte[] covered = new byte[Frame.COVERED_LENGTH];
        frame.getBytes(0, covered);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(keys[1], "HmacSHA256"));

        assertThat(frame.getCharSequence(0, 2, StandardCharsets.US_ASCII)).hasToString("SB");
        assertThat(frame.getByte(2)).isEqualTo((byte) 5);
        assertThat(frame.getShortLE(4)).isEqualTo((short) 24);
        assertThat(frame.getShortLE(6)).isEqualTo((short) NODE_COUNT);
        assertThat(frame.getIntLE(8)).isEqualTo(32 + 16 * NODE_COUNT);
        assertThat(frame.getIntLE(12)).isEqualTo(payload.length);
        assertThat(frame.getLongLE(16)).isOne();
        assertThat(frame.getByte(24)).isEqualTo((byte) FrameType.PREPARE.code());
        assertThat(frame.getShortLE(26)).isEqualTo((short) SENDER);
        assertThat(frame.getLongLE(32)).isEqualTo(7);
        assertThat(frame.getLongLE(40)).isEqualTo(9);
        assertThat(bytes(frame, 48, 32)).isEqualTo(digest);
        assertThat(bytes(frame, 80 + 16, 16)).isEqualTo(Arrays.copyOf(mac.doFinal(covered), 16));
        assertThat(bytes(frame, 80 + 16 * SENDER, 16)).isEqualTo(new byte[16]);
        assertThat(bytes(frame, 80 + 16 * NODE_COUNT, 3)).isEqualTo(payload);
    }

    @Test
    void shouldRefuseTheCodeForAnotherReceiver() {
        ByteBuf frame = frame(new byte[10]);
        byte[] codeOfOne = bytes(frame, Frame.payloadOffset(1), Frame.CODE_LENGTH);
        frame.setBytes(Frame.payloadOffset(0), codeOfOne);

        assertThat(receivers[0].judge(frame)).isEqualTo(FrameVerdict.BAD_CODE);
        assertThat(receivers[1].judge(frame)).isEqualTo(FrameVerdict.GENUINE);
    }

    /** A sender of an epoch with fewer nodes. */
    @Test
    void shouldRefuseAFrameWithoutACodeForTheReceiver() {
        ByteBuf frame = frame(new byte[0]);

        assertThat(receiver(NODE_COUNT, keys[0]).judge(frame)).isEqualTo(FrameVerdict.BAD_CODE);
    }

    @Test
    void shouldRefuseAReplayAndAnOlderFrame() {
        ByteBuf first = frame(new byte[10]);
        ByteBuf second = frame(new byte[10]);

        assertThat(receivers[0].judge(second)).isEqualTo(FrameVerdict.GENUINE);
        assertThat(receivers[0].judge(second)).isEqualTo(FrameVerdict.REPLAYED);
        assertThat(receivers[0].judge(first)).isEqualTo(FrameVerdict.REPLAYED);
    }

    @Test
    void shouldRefuseAFrameOfAnotherSession() {
        ByteBuf recorded = frame(new byte[10]);
        byte[] keyOfNextSession = new byte[32];
        random.nextBytes(keyOfNextSession);

        assertThat(receiver(0, keyOfNextSession).judge(recorded)).isEqualTo(FrameVerdict.BAD_CODE);
    }

    @Test
    void shouldRefuseEveryFlippedBitThatMatters() {
        ByteBuf frame = frame(new byte[20]);
        for (int at = 0; at < frame.readableBytes(); at++) {
            boolean isCodeForOthers = at >= Frame.payloadOffset(1) && at < Frame.payloadOffset(NODE_COUNT);
            boolean isLength = at >= Frame.PAYLOAD_LENGTH_OFFSET && at < Frame.PAYLOAD_LENGTH_OFFSET + 4;
            if (isCodeForOthers || isLength) {
                continue;
            }
            ByteBuf flipped = frame.copy();
            flipped.setByte(at, flipped.getByte(at) ^ 1 << random.nextInt(8));

            assertThat(receiver(0, keys[0]).judge(flipped)).as("byte %d", at).isNotEqualTo(FrameVerdict.GENUINE);
        }
        assertThat(receivers[0].judge(frame)).isEqualTo(FrameVerdict.GENUINE);
    }

    @Test
    void shouldFollowTheRenewalOfKeysEvenWhenFramesAreMissing() {
        for (int i = 0; i < 50 * FRAMES_PER_KEY; i++) {
            ByteBuf frame = frame(new byte[1]);
            if (i % 37 < 3) {
                assertThat(receivers[0].judge(frame)).as("frame %d", i).isEqualTo(FrameVerdict.GENUINE);
            }
        }
    }

    @Test
    void shouldNotCountFarAheadForAForger() {
        ByteBuf frame = frame(new byte[1]);
        frame.setLongLE(16, Long.MAX_VALUE);

        assertThat(receivers[0].judge(frame)).isEqualTo(FrameVerdict.BAD_CODE);
        assertThat(receivers[0].judge(frame(new byte[1]))).isEqualTo(FrameVerdict.GENUINE);
    }

    @Test
    void shouldCarryBatchesUnderTheDigestOfTheirIds() throws GeneralSecurityException {
        for (int count : new int[] {1, 2, Frame.BATCHES_MAX}) {
            List<FramedBatch> batches = batches(count);
            ByteBuf frame = encodeBatches(batches);
            MessageDigest ids = MessageDigest.getInstance("SHA-256");
            batches.forEach(batch -> ids.update(batch.id().bytes()));

            assertThat(bytes(frame, Frame.DIGEST_OFFSET, Frame.DIGEST_LENGTH)).isEqualTo(ids.digest());
            assertThat(receivers[0].judge(frame)).isEqualTo(FrameVerdict.GENUINE);
            assertThat(receivers[0].batchCount()).isEqualTo(count);
            int at = Frame.payloadOffset(NODE_COUNT);
            for (int i = 0; i < count; i++) {
                byte[] signed = batches.get(i).signedBatch();
                assertThat(receivers[0].batchId(i)).isEqualTo(batches.get(i).id());
                assertThat(frame.getIntLE(at)).isEqualTo(signed.length);
                assertThat(bytes(frame, at + 4, signed.length)).isEqualTo(signed);
                at += 4 + signed.length;
            }
            assertThat(at).isEqualTo(frame.readableBytes());
        }
    }

    @Test
    void shouldRefuseEveryFlippedBitOfBatchesButOfSignatures() throws GeneralSecurityException {
        List<FramedBatch> batches = batches(3);
        ByteBuf frame = encodeBatches(batches);
        int at = Frame.payloadOffset(NODE_COUNT);
        for (FramedBatch batch : batches) {
            int signedLength = batch.signedBatch().length;
            for (int i = 0; i < 4 + signedLength; i++) {
                ByteBuf flipped = frame.copy();
                flipped.setByte(at + i, flipped.getByte(at + i) ^ 1 << random.nextInt(8));

                // A signature is checked by whoever verifies the batch.
                FrameVerdict expected = i < 4 + signedLength - SignedBatch.SIGNATURE_LENGTH
                        ? FrameVerdict.BAD_DIGEST
                        : FrameVerdict.GENUINE;
                assertThat(receiver(0, keys[0]).judge(flipped)).as("byte %d", i).isEqualTo(expected);
            }
            at += 4 + signedLength;
        }
    }

    @Test
    void shouldRefuseWrongIdsTooManyBatchesAndNone() throws GeneralSecurityException {
        List<FramedBatch> batches = batches(2);
        Digest wrongId = batches.get(0).id();
        List<FramedBatch> wrong =
                List.of(batches.get(0), new FramedBatch(wrongId, batches.get(1).signedBatch()));

        assertThat(receivers[0].judge(encodeBatches(wrong))).isEqualTo(FrameVerdict.BAD_DIGEST);
        assertThat(receivers[0].judge(encodeBatches(List.of()))).isEqualTo(FrameVerdict.BAD_DIGEST);
        assertThat(receivers[0].judge(withPayload(new byte[3]))).isEqualTo(FrameVerdict.BAD_DIGEST);
        assertThat(receivers[0].judge(withPayload(new byte[] {64, 0, 0, 0, 1, 2})))
                .isEqualTo(FrameVerdict.BAD_DIGEST);
        assertThat(receivers[0].judge(withPayload(new byte[] {-1, -1, -1, -1}))).isEqualTo(FrameVerdict.BAD_DIGEST);
        byte[] many = new byte[(Frame.BATCHES_MAX + 1) * (4 + SignedBatch.SIGNATURE_LENGTH)];
        for (int i = 0; i < many.length; i += 4 + SignedBatch.SIGNATURE_LENGTH) {
            many[i] = SignedBatch.SIGNATURE_LENGTH;
        }
        assertThat(receivers[0].judge(withPayload(many))).isEqualTo(FrameVerdict.BAD_DIGEST);
    }

    @Test
    void shouldCutAStreamIntoFramesWhereverItIsSplit() {
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 20; i++) {
            stream.writeBytes(frame(new byte[random.nextInt(300)]));
        }
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(300));
        while (stream.isReadable()) {
            channel.writeInbound(stream.readBytes(Math.min(stream.readableBytes(), 1 + random.nextInt(200))));
        }

        for (int i = 0; i < 20; i++) {
            ByteBuf frame = channel.readInbound();
            assertThat(receivers[0].judge(frame)).isEqualTo(FrameVerdict.GENUINE);
            frame.release();
        }
        assertThat((Object) channel.readInbound()).isNull();
        assertThat(channel.finish()).isFalse();
    }

    @Test
    void shouldRefuseEveryWrongLengthBeforeWaitingForABody() {
        for (int offset : new int[] {0, 2, 3, 4, 6, 8, 12}) {
            ByteBuf header = frame(new byte[10]).slice(0, Frame.HEADER_LENGTH).copy();
            header.setByte(offset, 0xFF);
            EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(254));

            assertThatExceptionOfType(DecoderException.class)
                    .isThrownBy(() -> channel.writeInbound(header))
                    .withCauseInstanceOf(MalformedFrameException.class)
                    .satisfies(e -> assertThat(((MalformedFrameException) e.getCause()).offset())
                            .isEqualTo(offset));
        }
    }

    private ByteBuf frame(byte[] payload) {
        random.nextBytes(payload);
        return encode(FrameContent.of(FrameType.STATUS, payload));
    }

    private ByteBuf encode(FrameContent content) {
        return copied(encoder.encode(UnpooledByteBufAllocator.DEFAULT, content, codes));
    }

    private static ByteBuf copied(ByteBuf frame) {
        ByteBuf copy = Unpooled.copiedBuffer(frame);
        frame.release();
        return copy;
    }

    /** Returns batches of random bytes and lengths, the shortest a mere signature. */
    private List<FramedBatch> batches(int count) throws GeneralSecurityException {
        List<FramedBatch> batches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] signed = new byte[SignedBatch.SIGNATURE_LENGTH + 50 * i];
            random.nextBytes(signed);
            byte[] unsigned = Arrays.copyOf(signed, signed.length - SignedBatch.SIGNATURE_LENGTH);
            batches.add(new FramedBatch(
                    Digest.of(MessageDigest.getInstance("SHA-256").digest(unsigned)), signed));
        }
        return batches;
    }

    private ByteBuf encodeBatches(List<FramedBatch> batches) {
        return copied(encoder.encodeBatches(UnpooledByteBufAllocator.DEFAULT, batches, codes));
    }

    /** Returns a frame that says it holds batches and holds these bytes. */
    private ByteBuf withPayload(byte[] payload) {
        return encode(new FrameContent(FrameType.BATCHES, 0, FrameContent.NO_SEQUENCE, payload));
    }

    private byte[][] keys() {
        byte[][] made = new byte[SENDER][32];
        for (byte[] key : made) {
            random.nextBytes(key);
        }
        return made;
    }

    private FrameCode[] codes() {
        FrameCode[] made = new FrameCode[NODE_COUNT];
        for (int i = 0; i < SENDER; i++) {
            made[i] = new FrameCode(keys[i], 0, FRAMES_PER_KEY);
        }
        return made;
    }

    private static FrameAuthenticator receiver(int id, byte[] key) {
        return new FrameAuthenticator(SENDER, id, new FrameCode(key, 0, FRAMES_PER_KEY), 0);
    }

    private static byte[] bytes(ByteBuf frame, int offset, int length) {
        byte[] bytes = new byte[length];
        frame.getBytes(offset, bytes);
        return bytes;
    }
}
