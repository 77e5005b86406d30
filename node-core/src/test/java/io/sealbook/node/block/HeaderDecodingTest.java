package io.sealbook.node.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.Block;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.node.payload.Payload;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedBatch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What is decoded, and how often, when the same block is read again and again. */
class HeaderDecodingTest {
    private static final int BATCHES = 5;

    private final Block block = block();
    private final DecodedHeaders headers = headers();
    private int decoded;

    @Test
    void shouldReadWhatAdmissionDecodedAndTouchNoByte() {
        DecodedBlock kept = decoding(HeaderDecoding.Policy.ONCE).with(block, headers);

        block.array()[block.batchOffset(3) + 72] ^= 1;

        assertThat(kept.headers().brokerId(3)).isEqualTo(1_003);
        assertThat(kept.headers()).isSameAs(kept.headers());
        assertThat(decoded).isZero();
    }

    @Test
    void shouldDecodeAgainForEachPassIfTheLaboratoryKeepsNothing() {
        DecodedBlock forgotten = decoding(HeaderDecoding.Policy.EVERY_STAGE).with(block, headers);

        for (int pass = 1; pass <= 3; pass++) {
            assertSame(forgotten.headers());
            assertThat(decoded).isEqualTo(pass * BATCHES);
        }
        assertThat(forgotten.heldBytes()).isEqualTo(block.length());
    }

    @Test
    void shouldDecodeABlockOfTheArchiveOnlyForAReaderOfHeaders() {
        DecodedBlock read = decoding(HeaderDecoding.Policy.ONCE).fromArchive(block);

        assertThat(read.batchId(2)).isEqualTo(block.batchId(2));
        assertThat(decoded).isZero();
        assertSame(read.headers());
        assertThat(decoded).isEqualTo(BATCHES);
    }

    @Test
    void shouldHoldLittleMoreThanTheBlock() {
        DecodedBlock kept = decoding(HeaderDecoding.Policy.ONCE).with(block, headers);

        assertThat(kept.heldBytes() - block.length()).isEqualTo(BATCHES * DecodedHeaders.BYTES_PER_BATCH);
    }

    private void assertSame(BatchHeaders found) {
        assertThat(found.count()).isEqualTo(BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            assertThat(found.brokerId(i)).isEqualTo(headers.brokerId(i)).isEqualTo(1_000 + i);
            assertThat(found.session(i)).isEqualTo(headers.session(i)).isEqualTo(3);
            assertThat(found.number(i)).isEqualTo(headers.number(i)).isEqualTo(2_000 + i);
            assertThat(found.validUntilBlock(i))
                    .isEqualTo(headers.validUntilBlock(i))
                    .isEqualTo(3_000 + i);
            assertThat(found.orderCount(i)).isEqualTo(headers.orderCount(i)).isEqualTo(i);
        }
        assertThat(found.orderCount()).isEqualTo(headers.orderCount()).isEqualTo(10);
    }

    private HeaderDecoding decoding(HeaderDecoding.Policy policy) {
        return new HeaderDecoding(policy, count -> decoded += count);
    }

    private static byte[] signed(int i) {
        ByteBuffer batch = ByteBuffer.allocate(SignedBatch.signedLength(i)).order(ByteOrder.LITTLE_ENDIAN);
        return batch.putLong(16, 2_000 + i)
                .putLong(24, 3_000 + i)
                .putInt(72, 1_000 + i)
                .putShort(78, (short) 3)
                .putShort(86, (short) i)
                .array();
    }

    private static Block block() {
        BlockBuilder builder = new BlockBuilder().begin(1, 0, 1, Digest.ZERO, Digest.ZERO);
        for (int i = 0; i < BATCHES; i++) {
            byte[] signed = signed(i);
            builder.add(Digest.sha256(signed), 1, signed, 0, signed.length);
        }
        return builder.buildBlock();
    }

    private static DecodedHeaders headers() {
        DecodedHeaders headers = new DecodedHeaders(BATCHES);
        for (int i = 0; i < BATCHES; i++) {
            byte[] signed = signed(i);
            headers.set(
                    i,
                    new Payload(
                            Digest.sha256(signed),
                            signed,
                            1_000 + i,
                            new BatchPosition(3, 2_000 + i, Digest.ZERO),
                            3_000 + i,
                            i,
                            0,
                            0,
                            0));
        }
        return headers;
    }
}
