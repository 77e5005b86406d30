package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class DigestTest {
    private static final byte[] BYTES =
            HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff");

    @Test
    void shouldGiveBackItsBytes() {
        Digest digest = Digest.of(BYTES);

        assertThat(digest.bytes()).isEqualTo(BYTES).isNotSameAs(BYTES);
        assertThat(digest.leadingLong()).isEqualTo(0x0001020304050607L);
        assertThat(digest).hasToString("0001020304050607");
    }

    @Test
    void shouldBeReadAnywhereInAnArray() {
        byte[] longer = new byte[7 + Digest.LENGTH];
        System.arraycopy(BYTES, 0, longer, 7, Digest.LENGTH);

        assertThat(Digest.of(longer, 7)).isEqualTo(Digest.of(BYTES));
        assertThatThrownBy(() -> Digest.of(longer, 8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Digest.of(longer, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> Digest.of(longer)).hasMessage("a digest has 32 bytes, not 39");
    }

    @Test
    void shouldWriteItsBytesAnywhereInAnArray() {
        byte[] longer = new byte[7 + Digest.LENGTH];

        Digest.of(BYTES).write(longer, 7);

        assertThat(Arrays.copyOf(longer, 7)).containsOnly(0);
        assertThat(Arrays.copyOfRange(longer, 7, longer.length)).isEqualTo(BYTES);
        assertThatThrownBy(() -> Digest.of(BYTES).write(longer, 8)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldBeSignedAsItsBytesAre() {
        byte[] region = new byte[SignedRegion.LENGTH];
        byte[] regionOfBytes = new byte[SignedRegion.LENGTH];

        SignedRegion.write(region, 0, 4711, Digest.of(BYTES));
        SignedRegion.write(regionOfBytes, 0, 4711, BYTES, 0);

        assertThat(region).isEqualTo(regionOfBytes).contains(BYTES);
    }

    @Test
    void shouldBeTheSameBytesInBuffersOfEitherOrder() {
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            ByteBuffer buffer = ByteBuffer.allocate(40).order(order).position(3);

            Digest.of(BYTES).write(buffer);

            assertThat(buffer.position()).isEqualTo(35);
            assertThat(Arrays.copyOfRange(buffer.array(), 3, 35)).isEqualTo(BYTES);
            assertThat(Digest.read(buffer.position(3))).isEqualTo(Digest.of(BYTES));
            assertThat(buffer.position()).isEqualTo(35);
        }
    }
}
