package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.gpu.KernelTimer.Kernel;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import io.sealbook.gpu.standin.StandInDriver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Measurements on the stand-in device: rates do not matter there, verdicts do. */
@Tag("stand-in-driver")
class KernelTimerTest {
    private static final int KEYS = 3;
    private static final int SIGNATURES = 24;
    private static final int BLOCK = 32;
    private static final int ROWS = 3 * SIGNATURES + 1;

    private final Random random = new Random(7);
    private final List<VerificationKey> keys = new ArrayList<>();
    private final SignatureBatch batch = new SignatureBatch(SIGNATURES);

    @BeforeAll
    static void loadDriver() {
        StandInDriver.load();
    }

    /** Every fifth signature is wrong. Keys come in the batch in another order than in the device's memory. */
    private KernelTimer open(String image) {
        List<KeyPair> pairs = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            pairs.add(KeyPair.of(random));
            keys.add(pairs.get(i).key());
        }
        for (int i = 0; i < SIGNATURES; i++) {
            KeyPair pair = pairs.get(i % KEYS);
            byte[] message = {(byte) i};
            byte[] signature = Sm2Reference.sign(pair, message, random);
            signature[0] ^= (byte) (i % 5 == 0 ? 1 : 0);
            batch.add(pair.key(), message, signature);
        }
        Collections.reverse(keys);
        GpuSettings settings = new GpuSettings(0, 1, 1, BLOCK, 5, 4, 1 << 20, 1, 0, 1, 1, 60_000, 120_000);
        return new KernelTimer(settings, keys, new KernelImage(image));
    }

    private void assertVerdicts() {
        for (int i = 0; i < SIGNATURES; i++) {
            assertThat(batch.isValid(i)).as("signature " + i).isEqualTo(i % 5 != 0);
            batch.setValid(i, i % 5 == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(Kernel.class)
    void shouldLeaveTheDevicesVerdictsInTheBatch(Kernel kernel) {
        try (KernelTimer timer = open(StandInDriver.SOURCE_IMAGE)) {
            assertThat(timer.withoutCopies(kernel, batch, ROWS, BLOCK, 1)).isPositive();
            assertVerdicts();

            assertThat(timer.withCopies(kernel, batch, ROWS, BLOCK, 2, 1)).isPositive();
            assertVerdicts();

            assertThat(timer.multiplicationsPerSecond(BLOCK, 2)).isPositive();
        }
    }

    /** Every verdict of this device is turned around: the CPU has no part in them. */
    @ParameterizedTest
    @EnumSource(Kernel.class)
    void shouldLeaveWrongVerdictsToTheCaller(Kernel kernel) {
        try (KernelTimer timer = open(StandInDriver.SOURCE_IMAGE + "wrong-verdict")) {
            timer.withoutCopies(kernel, batch, ROWS, BLOCK, 1);

            assertThat(batch.isValid(0)).isTrue();
            assertThat(batch.isValid(1)).isFalse();
        }
    }

    @Test
    void shouldRefuseVerdictsThatDifferBetweenRepetitions() {
        open(StandInDriver.SOURCE_IMAGE).close();

        assertThatThrownBy(() -> KernelTimer.keepVerdicts(
                        batch, ROWS, row -> row == SIGNATURES ? RowRequest.INVALID : RowRequest.VALID))
                .isInstanceOf(DeviceException.class)
                .hasMessage(
                        "the device's verdict on row 24 was 0, on an earlier row with the same signature it was not");
        assertThatThrownBy(() -> KernelTimer.keepVerdicts(batch, ROWS, row -> RowRequest.UNDECIDED))
                .isInstanceOf(DeviceException.class)
                .hasMessage("the device's verdict on row 0 was 2");
    }
}
