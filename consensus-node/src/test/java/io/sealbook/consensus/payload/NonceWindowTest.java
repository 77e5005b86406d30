package io.sealbook.consensus.payload;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.payload.NonceWindow.Use;
import io.sealbook.pbft.Digest;
import org.junit.jupiter.api.Test;

class NonceWindowTest {
    private static final Digest ONE = Digest.sha256(new byte[] {1});
    private static final Digest TWO = Digest.sha256(new byte[] {2});

    private final NonceWindow window = new NonceWindow(3);

    @Test
    void shouldTellTheSameBatchFromAnother() {
        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.FREE);

        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.SAME_BATCH);
        assertThat(window.take(1, 7, 100, TWO)).isEqualTo(Use.OTHER_BATCH);
        assertThat(window.take(2, 7, 100, TWO))
                .as("nonces are each broker's own")
                .isEqualTo(Use.FREE);
    }

    @Test
    void shouldRememberWhatWasCommitted() {
        window.take(1, 7, 100, ONE);
        window.committed(1, 7, 100, ONE);

        window.release(1, 7, ONE);

        assertThat(window.take(1, 7, 100, ONE)).isEqualTo(Use.COMMITTED);
        assertThat(window.take(1, 7, 100, TWO)).isEqualTo(Use.OTHER_BATCH);
    }

    @Test
    void shouldForgetWhatCannotBeOrderedAnyMore() {
        window.committed(1, 7, 100, ONE);
        window.committed(1, 8, 101, TWO);

        window.forgetBefore(100);

        assertThat(window.take(1, 7, 200, TWO)).isEqualTo(Use.FREE);
        assertThat(window.take(1, 8, 101, TWO)).isEqualTo(Use.COMMITTED);
    }

    @Test
    void shouldBoundEachBroker() {
        for (int nonce = 0; nonce < 3; nonce++) {
            assertThat(window.take(1, nonce, 100, ONE)).isEqualTo(Use.FREE);
        }

        assertThat(window.take(1, 3, 100, ONE)).isEqualTo(Use.FULL);
        assertThat(window.take(2, 3, 100, ONE)).isEqualTo(Use.FREE);
        window.release(1, 0, ONE);
        assertThat(window.take(1, 3, 100, ONE)).isEqualTo(Use.FREE);
    }
}
