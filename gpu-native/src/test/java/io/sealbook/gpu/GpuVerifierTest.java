package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signer;
import io.sealbook.crypto.Signers;
import io.sealbook.gpu.GpuCounters.Counter;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** How work is divided and what becomes of a device that fails, without any device. */
class GpuVerifierTest {
    private static final KeyPair PAIR = KeyPair.of(new Random(1));
    private static final Signer SECP256K1 = Signers.generate(SignatureScheme.ECDSA_SECP256K1_SHA256);

    private final GpuCounters counters = new GpuCounters();
    private final TestEngine engine = new TestEngine();

    /** An engine that answers what a test tells it to. */
    private static final class TestEngine implements RowEngine {
        IntFunction<Byte> verdictOfRow = row -> RowRequest.VALID;
        String failure;
        int rowCount;
        boolean isClosed;

        @Override
        public void submit(RowRequest request) {
            if (failure != null) {
                throw new DeviceException(failure);
            }
            request.begin();
            rowCount += request.size();
        }

        @Override
        public void await(RowRequest request) {
            for (int row = 0; row < request.size(); row++) {
                request.setVerdict(row, verdictOfRow.apply(row));
            }
            request.settle(request.size());
        }

        @Override
        public String description() {
            return "test engine";
        }

        @Override
        public void close() {
            isClosed = true;
        }
    }

    private GpuVerifier verifier(int smallBatchMax, int sampleInterval) {
        GpuSettings config =
                new GpuSettings(0, 1, 64, 32, 4, 4, 1 << 20, 3, smallBatchMax, sampleInterval, 2, 1_000, 120_000);
        return new GpuVerifier(engine, SignatureProviders.named("bc"), config, counters);
    }

    /** SM2 signatures, the last of them wrong. */
    private static SignatureBatch batch(int size) {
        Random random = new Random(2);
        SignatureBatch batch = new SignatureBatch(size + 2);
        for (int i = 0; i < size; i++) {
            byte[] message = new byte[48];
            random.nextBytes(message);
            byte[] signature = Sm2Reference.sign(PAIR, message, random);
            if (i == size - 1) {
                signature[0] ^= 1;
            }
            batch.add(PAIR.key(), message, signature);
        }
        return batch;
    }

    @Test
    void shouldLeaveSmallBatchesToCpu() {
        SignatureBatch batch = batch(4);

        assertThat(verifier(4, 1).verify(batch)).isEqualTo(3);
        assertThat(engine.rowCount).isZero();
        assertThat(counters.get(Counter.CPU_SIGNATURES)).isEqualTo(4);
    }

    @Test
    void shouldVerifyOtherSchemesOnCpuBesideTheDevice() {
        SignatureBatch batch = batch(4);
        byte[] message = {1};
        batch.add(SECP256K1.verificationKey(), message, SECP256K1.sign(message));
        batch.add(SECP256K1.verificationKey(), new byte[] {2}, SECP256K1.sign(message));
        engine.verdictOfRow = row -> row < 3 ? RowRequest.VALID : RowRequest.INVALID;

        assertThat(verifier(0, 1_000).verify(batch)).isEqualTo(4);
        assertThat(engine.rowCount).isEqualTo(4);
        assertThat(batch.isValid(4)).isTrue();
        assertThat(batch.isValid(5)).isFalse();
    }

    @Test
    void shouldNotSendWhatItsRecoveryByteRefuses() {
        byte[] message = {1};
        byte[] signature = Sm2Reference.sign(PAIR, message, new Random(3));
        signature[64] = 1;
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(PAIR.key(), message, signature);

        assertThat(verifier(0, 1).verify(batch)).isZero();
        assertThat(engine.rowCount).isZero();
    }

    @Test
    void shouldDecideOnCpuWhatDeviceLeavesUndecided() {
        engine.verdictOfRow = row -> RowRequest.UNDECIDED;
        SignatureBatch batch = batch(5);

        assertThat(verifier(0, 1).verify(batch)).isEqualTo(4);
        assertThat(counters.get(Counter.UNDECIDED_SIGNATURES)).isEqualTo(5);
        assertThat(counters.get(Counter.DISAGREEMENTS)).isZero();
    }

    /** One wrong verdict in a sample is enough, and its own batch is verified again already. */
    @Test
    void shouldNotTrustDeviceAgainThatWasFoundLying() {
        GpuVerifier verifier = verifier(0, 1);
        SignatureBatch batch = batch(5);

        assertThat(verifier.verify(batch)).isEqualTo(4);
        assertThat(verifier.deviceFault())
                .hasValueSatisfying(reason -> assertThat(reason).contains("1 of 5"));
        assertThat(verifier.provider()).isEqualTo("bc");
        assertThat(counters.get(Counter.DEVICE_FAULTS)).isZero();
        assertThat(verifier.verify(batch)).isEqualTo(4);
        assertThat(engine.rowCount).isEqualTo(5);
    }

    @Test
    void shouldCheckSomeOfTheRefusedEvenBetweenSamples() {
        engine.verdictOfRow = row -> RowRequest.INVALID;
        GpuVerifier verifier = verifier(0, 1_000_000);
        verifier.verify(batch(1));

        assertThat(verifier.verify(batch(6))).isEqualTo(5);
        assertThat(counters.get(Counter.DISAGREEMENTS)).isEqualTo(2);
        assertThat(verifier.deviceFault()).isPresent();
    }

    @Test
    void shouldGoOnWithoutDeviceThatFailed() {
        engine.failure = "fell off the bus";
        GpuVerifier verifier = verifier(0, 1);
        SignatureBatch batch = batch(5);

        assertThat(verifier.provider()).isEqualTo("gpu");
        assertThat(verifier.verify(batch)).isEqualTo(4);
        assertThat(verifier.verify(batch)).isEqualTo(4);
        assertThat(verifier.deviceFault()).contains("fell off the bus");
        assertThat(counters.get(Counter.DEVICE_FAULTS)).isEqualTo(1);
        assertThat(verifier.provider()).isEqualTo("bc");
    }

    @Test
    void shouldTakeVerdictsThatDoNotExistForAFault() {
        engine.verdictOfRow = row -> (byte) 77;
        GpuVerifier verifier = verifier(0, 1);

        assertThat(verifier.verify(batch(5))).isEqualTo(4);
        assertThat(verifier.deviceFault())
                .hasValueSatisfying(reason -> assertThat(reason).contains("77"));
        assertThat(counters.get(Counter.DEVICE_FAULTS)).isEqualTo(1);
    }

    @Test
    void shouldCloseEngine() {
        verifier(0, 1).close();

        assertThat(engine.isClosed).isTrue();
    }
}
