package io.sealbook.vocabulary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Sha256Test {
    /** FIPS 180-4, example of one block. */
    private static final byte[] ABC = "abc".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] HASH_OF_ABC =
            HexFormat.of().parseHex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

    @Test
    void shouldHashTheSameMessageInEveryForm() {
        Sha256 sha256 = new Sha256();
        byte[] xabcx = "xabcx".getBytes(StandardCharsets.US_ASCII);
        byte[] into = new byte[40];

        assertThat(Sha256.of(ABC)).isEqualTo(HASH_OF_ABC);
        assertThat(Sha256.of(xabcx, 1, 3)).isEqualTo(HASH_OF_ABC);
        assertThat(sha256.update(ABC).digestBytes()).isEqualTo(HASH_OF_ABC);
        assertThat(sha256.update(xabcx, 1, 3).digest()).isEqualTo(Digest.of(HASH_OF_ABC));
        assertThat(sha256.update((byte) 'a')
                        .update(ByteBuffer.wrap(xabcx, 2, 2))
                        .digestBytes())
                .isEqualTo(HASH_OF_ABC);
        sha256.update(xabcx).reset().update(ABC).digest(into, 5);
        assertThat(Digest.of(into, 5)).isEqualTo(Digest.of(HASH_OF_ABC));
        assertThat(Digest.sha256(ABC)).isEqualTo(Digest.of(HASH_OF_ABC));
        assertThat(Digest.sha256(new byte[] {'a', 'b'}, new byte[] {'c'})).isEqualTo(Digest.of(HASH_OF_ABC));
    }

    @Test
    void shouldRefuseToWriteBeyondAnArray() {
        Sha256 sha256 = new Sha256();

        assertThatThrownBy(() -> sha256.digest(new byte[40], 9)).isInstanceOf(IllegalArgumentException.class);
    }
}
