package io.sealbook.peer.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTest {
    private static final int RECORDS_PER_KEY = 3;
    private static final Random RANDOM = new Random(25);

    private final byte[] key = random(32);
    private final EmbeddedChannel sender = new EmbeddedChannel(new RecordEncoder(key, RECORDS_PER_KEY));
    private final EmbeddedChannel receiver = new EmbeddedChannel(new RecordDecoder(key, RECORDS_PER_KEY));

    @ParameterizedTest
    @ValueSource(ints = {1, 15, 16, 17, 65_535, 65_536, 65_537, 200_000})
    void shouldCarryEveryLength(int length) {
        byte[] content = random(length);

        byte[] wire = close(content);

        assertThat(open(wire)).isEqualTo(content);
        assertThat(wire.length).isEqualTo(length + 20 * ((length + 65_535) / 65_536));
    }

    @Test
    void shouldShowNothingOfTheContent() {
        byte[] content = new byte[4_096];

        byte[] first = close(content);
        byte[] second = close(content);

        assertThat(distinctBytes(first)).isGreaterThan(200);
        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void shouldRenewTheKeyOnBothSides() {
        for (int i = 0; i < 10 * RECORDS_PER_KEY; i++) {
            byte[] content = random(50 + i);
            assertThat(open(close(content))).isEqualTo(content);
        }
    }

    @Test
    void shouldNotKeepTheFirstKey() {
        EmbeddedChannel neverRenews = new EmbeddedChannel(new RecordDecoder(key, Integer.MAX_VALUE));
        for (int i = 0; i < RECORDS_PER_KEY; i++) {
            neverRenews.writeInbound(Unpooled.wrappedBuffer(close(random(10))));
        }

        assertThatThrownBy(() -> neverRenews.writeInbound(Unpooled.wrappedBuffer(close(random(10)))))
                .isInstanceOf(DecoderException.class);
        neverRenews.releaseInbound();
    }

    @Test
    void shouldCoverTheHeader() {
        byte[] closed = new byte[10 + RecordCipher.TAG_LENGTH];
        RecordCipher.closing(key, RECORDS_PER_KEY).apply(new byte[] {1, 2, 3, 4}, random(10), 10, closed);
        byte[] opened = new byte[10];

        assertThat(RecordCipher.opening(key, RECORDS_PER_KEY)
                        .apply(new byte[] {1, 2, 3, 5}, closed, closed.length, opened))
                .isFalse();
        assertThat(RecordCipher.opening(key, RECORDS_PER_KEY)
                        .apply(new byte[] {1, 2, 3, 4}, closed, closed.length, opened))
                .isTrue();
    }

    @Test
    void shouldTakeAStreamInPieces() {
        byte[] content = random(1_000);
        byte[] wire = close(content);

        for (byte each : wire) {
            receiver.writeInbound(Unpooled.wrappedBuffer(new byte[] {each}));
        }

        assertThat(received()).isEqualTo(content);
    }

    @Test
    void shouldRefuseEveryChangedByte() {
        byte[] wire = close(random(40));
        for (int i = 0; i < wire.length; i++) {
            byte[] changed = wire.clone();
            changed[i] ^= 1;
            EmbeddedChannel victim = new EmbeddedChannel(new RecordDecoder(key, RECORDS_PER_KEY));
            // A longer length lets it wait for the rest.
            byte[] withMore = Arrays.copyOf(changed, changed.length + 70_000);
            assertThatThrownBy(() -> victim.writeInbound(Unpooled.wrappedBuffer(withMore)))
                    .as("byte %d", i)
                    .isInstanceOf(DecoderException.class);
            assertThat(victim.<ByteBuf>readInbound()).isNull();
        }
    }

    @Test
    void shouldRefuseARepeatedRecord() {
        byte[] wire = close(random(40));
        open(wire);

        assertThatThrownBy(() -> open(wire)).hasMessageContaining("does not open");
    }

    @Test
    void shouldRefuseARecordAfterOneThatIsMissing() {
        close(random(40));

        assertThatThrownBy(() -> open(close(random(40)))).hasMessageContaining("does not open");
    }

    @Test
    void shouldRefuseTheOtherDirectionsRecords() {
        EmbeddedChannel reflected = new EmbeddedChannel(new RecordDecoder(random(32), RECORDS_PER_KEY));

        assertThatThrownBy(() -> reflected.writeInbound(Unpooled.wrappedBuffer(close(random(40)))))
                .hasMessageContaining("does not open");
    }

    @Test
    void shouldWaitForNoRecordThatIsTooLong() {
        assertThatThrownBy(() -> receiver.writeInbound(Unpooled.wrappedBuffer(new byte[] {1, 0, 1, 0})))
                .hasMessageContaining("length of a record is 65537");
    }

    private byte[] close(byte[] content) {
        sender.writeOutbound(Unpooled.wrappedBuffer(content));
        ByteBuf wire = sender.readOutbound();
        try {
            return ByteBufUtil.getBytes(wire);
        } finally {
            wire.release();
        }
    }

    private byte[] open(byte[] wire) {
        receiver.writeInbound(Unpooled.wrappedBuffer(wire));
        return received();
    }

    private byte[] received() {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (ByteBuf part = receiver.readInbound(); part != null; part = receiver.readInbound()) {
            content.writeBytes(ByteBufUtil.getBytes(part));
            part.release();
        }
        return content.toByteArray();
    }

    private static long distinctBytes(byte[] bytes) {
        boolean[] seen = new boolean[256];
        for (byte each : bytes) {
            seen[each & 0xFF] = true;
        }
        long count = 0;
        for (boolean each : seen) {
            count += each ? 1 : 0;
        }
        return count;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }
}
