package io.sealbook.peer.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadCodecTest {
    private final Random random = new Random(6);

    private BatchRange range() {
        long after = random.nextInt(1_000);
        SessionEnd last = new SessionEnd(random.nextLong(), after + 1 + random.nextInt(9), Digest.of(bytes(32)));
        return new BatchRange(last, after, Digest.of(bytes(32)));
    }

    @Test
    void shouldGiveBackRequestsAndBlocks() throws MalformedMessageException {
        List<BatchRange> ranges = List.of(range(), range());
        List<byte[]> blocks = List.of(bytes(100), bytes(0), bytes(7));
        byte[] certificate = bytes(50);

        assertThat(PayloadCodec.decodeBatchRequest(PayloadCodec.encodeBatchRequest(ranges)))
                .isEqualTo(ranges);
        assertThat(PayloadCodec.decodeBlockRequest(PayloadCodec.encodeBlockRequest(17, 5)))
                .isEqualTo(new PayloadCodec.BlockRequest(17, 5));
        PayloadCodec.Blocks decoded = PayloadCodec.decodeBlocks(PayloadCodec.encodeBlocks(17, blocks, certificate));
        assertThat(decoded.from()).isEqualTo(17);
        assertThat(decoded.blocks()).usingElementComparator(Arrays::compare).isEqualTo(blocks);
        assertThat(decoded.certificateOrNull()).isEqualTo(certificate);
        assertThat(PayloadCodec.decodeBlocks(PayloadCodec.encodeBlocks(1, List.of(), null))
                        .certificateOrNull())
                .isNull();
    }

    @Test
    void shouldRefuseEveryTruncation() {
        byte[] request = PayloadCodec.encodeBatchRequest(List.of(range(), range()));
        byte[] blockRequest = PayloadCodec.encodeBlockRequest(1, 1);
        byte[] blocks = PayloadCodec.encodeBlocks(1, List.of(bytes(20), bytes(0), bytes(9)), bytes(5));

        for (int length = 0; length < request.length; length++) {
            byte[] truncated = Arrays.copyOf(request, length);
            malformed(() -> PayloadCodec.decodeBatchRequest(truncated));
        }
        for (int length = 0; length < blockRequest.length; length++) {
            byte[] truncated = Arrays.copyOf(blockRequest, length);
            malformed(() -> PayloadCodec.decodeBlockRequest(truncated));
        }
        for (int length = 0; length < blocks.length; length++) {
            byte[] truncated = Arrays.copyOf(blocks, length);
            malformed(() -> PayloadCodec.decodeBlocks(truncated));
        }
    }

    /** A list of ranges takes more memory than its bytes. */
    @Test
    void shouldRefuseMoreRangesThanAnyoneNeeds() throws Exception {
        BatchRange range = new BatchRange(new SessionEnd(1, 1, Digest.ZERO), 0, Digest.ZERO);

        assertThat(PayloadCodec.decodeBatchRequest(
                        PayloadCodec.encodeBatchRequest(Collections.nCopies(PayloadCodec.RANGES_MAX, range))))
                .hasSize(PayloadCodec.RANGES_MAX);
        malformed(() -> PayloadCodec.decodeBatchRequest(
                PayloadCodec.encodeBatchRequest(Collections.nCopies(PayloadCodec.RANGES_MAX + 1, range))));
    }

    /** So does a list of blocks, each of which is empty. */
    @Test
    void shouldRefuseMoreBlocksThanAnyoneSends() throws Exception {
        List<byte[]> blocks = Collections.nCopies(PayloadCodec.BLOCKS_MAX, new byte[0]);
        assertThat(PayloadCodec.decodeBlocks(PayloadCodec.encodeBlocks(1, blocks, null))
                        .blocks())
                .hasSize(PayloadCodec.BLOCKS_MAX);
        List<byte[]> tooMany = Collections.nCopies(PayloadCodec.BLOCKS_MAX + 1, new byte[0]);
        malformed(() -> PayloadCodec.decodeBlocks(PayloadCodec.encodeBlocks(1, tooMany, null)));
    }

    @Test
    void shouldSurviveNoise() {
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = bytes(random.nextInt(60));
            noise(() -> PayloadCodec.decodeBatchRequest(noise));
            noise(() -> PayloadCodec.decodeBlockRequest(noise));
            noise(() -> PayloadCodec.decodeBlocks(noise));
        }
    }

    @Test
    void shouldCountWhatFitsIntoOneFrame() {
        List<byte[]> blocks = List.of(bytes(100), bytes(100), bytes(100));
        int lengthOfTwo = PayloadCodec.encodeBlocks(1, blocks.subList(0, 2), bytes(10)).length;

        assertThat(PayloadCodec.fitting(blocks, bytes(10), lengthOfTwo)).isEqualTo(2);
        assertThat(PayloadCodec.fitting(blocks, bytes(10), lengthOfTwo - 1)).isOne();
        assertThat(PayloadCodec.fitting(blocks, null, Integer.MAX_VALUE)).isEqualTo(3);
        assertThat(PayloadCodec.fitting(blocks, null, 50)).isZero();
    }

    private interface Decoding {
        Object decode() throws MalformedMessageException;
    }

    private static void malformed(Decoding decoding) {
        assertThatExceptionOfType(MalformedMessageException.class).isThrownBy(decoding::decode);
    }

    private static void noise(Decoding decoding) {
        try {
            assertThat(decoding.decode()).isNotNull();
        } catch (MalformedMessageException e) {
            assertThat(e.offset()).isNotNegative();
        }
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
