package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.VerificationKey;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class KeySlotsTest {
    private static final VerificationKey A = KeyPair.of(BigInteger.valueOf(2)).key();
    private static final VerificationKey B = KeyPair.of(BigInteger.valueOf(3)).key();
    private static final VerificationKey C = KeyPair.of(BigInteger.valueOf(4)).key();

    @Test
    void shouldGiveSlotForUse() {
        KeySlots slots = new KeySlots(2, 5);

        assertThat(slots.countUses(A, 4)).isFalse();
        assertThat(slots.slot(A)).isEqualTo(KeySlots.NONE);
        assertThat(slots.countUses(A, 1)).isTrue();
        assertThat(slots.assign(A)).isEqualTo(new KeySlots.Assignment(0, false));
        assertThat(slots.slot(A)).isZero();
    }

    @Test
    void shouldPutOutTheKeyUnusedForLongest() {
        KeySlots slots = new KeySlots(2, 1);
        slots.assign(A);
        slots.assign(B);
        slots.slot(A);

        assertThat(slots.assign(C)).isEqualTo(new KeySlots.Assignment(1, true));
        assertThat(slots.slot(B)).isEqualTo(KeySlots.NONE);
        assertThat(slots.slot(A)).isZero();
        assertThat(slots.countUses(B, 1)).isTrue();
    }
}
