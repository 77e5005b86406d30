package io.sealbook.crypto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SignatureBatchTest {
    private final VerificationKey key =
            TestKeys.key(SignatureScheme.SM2_SM3, new Random(61)).verificationKey();

    @Test
    void shouldKeepEntriesInOrderAndCopySignatures() {
        SignatureBatch batch = new SignatureBatch(3);
        byte[] message = new byte[20];
        byte[] signature = new byte[70];
        signature[2] = 9;

        assertThat(batch.add(key, message, 4, 6, signature, 2)).isZero();
        assertThat(batch.add(key, message, new byte[65])).isEqualTo(1);
        signature[2] = 0;

        assertThat(batch.size()).isEqualTo(2);
        assertThat(batch.capacity()).isEqualTo(3);
        assertThat(batch.key(0)).isSameAs(key);
        assertThat(batch.message(0)).isSameAs(message);
        assertThat(batch.messageOffset(0)).isEqualTo(4);
        assertThat(batch.messageLength(0)).isEqualTo(6);
        assertThat(batch.signatures()[batch.signatureOffset(0)]).isEqualTo((byte) 9);
        assertThat(batch.isValid(0)).isFalse();
    }

    @Test
    void shouldForgetVerdictsWhenCleared() {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(key, new byte[1], new byte[65]);
        batch.setValid(0, true);

        batch.clear();
        batch.add(key, new byte[1], new byte[65]);

        assertThat(batch.isValid(0)).isFalse();
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        SignatureBatch batch = new SignatureBatch(1);
        assertThatThrownBy(() -> batch.add(key, new byte[4], 2, 3, new byte[65], 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> batch.add(key, new byte[4], new byte[64]))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> batch.isValid(0)).isInstanceOf(IndexOutOfBoundsException.class);
        batch.add(key, new byte[4], new byte[65]);
        assertThatThrownBy(() -> batch.add(key, new byte[4], new byte[65])).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new SignatureBatch(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SignatureBatch(SignatureBatch.CAPACITY_MAX + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
