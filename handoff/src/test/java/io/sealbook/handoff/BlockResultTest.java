package io.sealbook.handoff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class BlockResultTest {
    private static final Digest DIGEST = Digest.sha256(new byte[] {1, 2, 3});
    private static final BlockResult RESULT =
            new BlockResult(0x0102030405060708L, DIGEST, 0x1112131415161718L, 0x21222324, 0x31323334);

    @Test
    void shouldKeepItsBytes() {
        assertThat(HexFormat.of().formatHex(RESULT.encode()))
                .isEqualTo("53425253" + "f6805e89" + "0807060504030201" + "1817161514131211" + "24232221" + "34333231"
                        + HexFormat.of().formatHex(DIGEST.bytes()));
    }

    @Test
    void shouldBeReadAsItWasWritten() {
        assertThat(BlockResult.decode(RESULT.encode())).isEqualTo(RESULT);
    }

    @Test
    void shouldNoticeEveryFlippedBit() {
        byte[] bytes = RESULT.encode();
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            byte[] flipped = bytes.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);

            assertThatThrownBy(() -> BlockResult.decode(flipped))
                    .as("bit %d", bit)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseOtherBytes() {
        assertThatThrownBy(() -> BlockResult.decode(new byte[0])).hasMessageContaining("0 bytes are no result");
        assertThatThrownBy(() -> BlockResult.decode(Arrays.copyOf(RESULT.encode(), BlockResult.LENGTH + 1)))
                .hasMessageContaining("65 bytes are no result");
        assertThatThrownBy(() -> new BlockResult(0, DIGEST, 1, 1, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
