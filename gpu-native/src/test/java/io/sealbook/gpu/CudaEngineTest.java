package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.Opening;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerifierSettings;
import io.sealbook.gpu.GpuCounters.Counter;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import io.sealbook.gpu.standin.StandInDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole path through JCuda, on the stand-in device. */
@Tag("stand-in-driver")
class CudaEngineTest {
    private static final int CALLERS = 4;

    /** Right signatures but for every fifth. */
    private static SignatureBatch batch(KeyPair pair, int size, Random random) {
        SignatureBatch batch = new SignatureBatch(size);
        for (int i = 0; i < size; i++) {
            byte[] message = new byte[48];
            random.nextBytes(message);
            byte[] signature = Sm2Reference.sign(pair, message, random);
            if (i % 5 == 0) {
                signature[40] ^= 1;
            }
            batch.add(pair.key(), message, signature);
        }
        return batch;
    }

    private static void assertVerdicts(GpuVerifier verifier, SignatureBatch batch) {
        assertThat(verifier.verify(batch)).isEqualTo(batch.size() - (batch.size() + 4) / 5);
        for (int i = 0; i < batch.size(); i++) {
            assertThat(batch.isValid(i)).isEqualTo(i % 5 != 0);
        }
    }

    @Test
    void shouldBeChosenWhereThereIsADevice() {
        StandInDriver.load();

        // A table of 16 bits is nothing for a device and ten seconds for the stand-in.
        SignatureProviders.Choice choice = SignatureProviders.choose(
                new VerifierSettings(GpuProvider.NAME, Map.of("gpu.generator-window-bits", "6")));

        assertThat(choice.verifier().provider()).isEqualTo("gpu");
        assertThat(choice.findings().get(0).toString())
                .contains("gpu: chosen", "Stand-in device", "tables of 6 and 8 bits");
        choice.verifier().close();
    }

    @Test
    void shouldMakeTablesForKeysThatSignOftenAndPutOthersOut() {
        Random random = new Random(1);
        try (GpuVerifier verifier = TestDevice.open(TestDevice.SOURCE, TestDevice.SMALL)) {
            long ownTables = verifier.count(Counter.TABLES_MADE);
            for (int i = 0; i < 4; i++) {
                SignatureBatch batch = batch(KeyPair.of(random), 2, random);
                assertVerdicts(verifier, batch);
                assertVerdicts(verifier, batch);
            }

            // Two slots: the self-test's key and three of these are put out.
            assertThat(verifier.count(Counter.TABLES_MADE) - ownTables).isEqualTo(4);
            assertThat(verifier.count(Counter.TABLES_EVICTED)).isEqualTo(ownTables + 4 - 2);
            assertThat(verifier.count(Counter.ANY_KEY_SIGNATURES)).isGreaterThanOrEqualTo(4 * 2);
            assertThat(verifier.deviceFault()).isEmpty();
        }
    }

    @Test
    void shouldServeSeveralCallersAtOnce() throws Exception {
        Random random = new Random(2);
        List<Callable<Void>> callers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
        try (GpuVerifier verifier = TestDevice.open(TestDevice.SOURCE, TestDevice.SMALL)) {
            for (int i = 0; i < CALLERS; i++) {
                List<SignatureBatch> batches = new ArrayList<>();
                KeyPair pair = KeyPair.of(random);
                for (int size : new int[] {1, 49, 50, 51, 130}) {
                    batches.add(batch(pair, size, random));
                }
                callers.add(() -> {
                    for (int round = 0; round < 3; round++) {
                        batches.forEach(batch -> assertVerdicts(verifier, batch));
                    }
                    return null;
                });
            }
            for (Future<Void> done : threads.invokeAll(callers)) {
                done.get();
            }
            assertThat(verifier.deviceFault()).isEmpty();
            assertThat(verifier.count(Counter.CPU_SIGNATURES)).isZero();
        } finally {
            threads.shutdown();
        }
    }

    @Test
    void shouldRefuseDeviceThatCannotLaunch() {
        GpuProvider provider = TestDevice.provider(new KernelImage(StandInDriver.SOURCE_IMAGE + "fail-launch"));

        assertThat(failure(provider, TestDevice.SMALL))
                .contains("self-test failed", "CUDA_ERROR_LAUNCH_FAILED")
                .doesNotContain("\n");
    }

    @Test
    void shouldRefuseDeviceThatLies() {
        GpuProvider provider = TestDevice.provider(new KernelImage(StandInDriver.SOURCE_IMAGE + "wrong-verdict"));

        assertThat(failure(provider, TestDevice.SMALL)).contains("self-test failed", "the CPU's 1");
    }

    /** Its thread is left behind: neither opening nor closing waits for a call that never returns. */
    @Test
    void shouldRefuseDeviceThatNeverAnswers() {
        GpuProvider provider = TestDevice.provider(new KernelImage(StandInDriver.SOURCE_IMAGE + "hang"));

        assertThat(failure(provider, withTimeouts(500, 120_000)))
                .contains("self-test failed", "the device has not answered in 500 ms");
    }

    @Test
    void shouldRefuseDeviceThatNeverOpens() {
        GpuProvider provider = TestDevice.provider(new KernelImage(StandInDriver.SOURCE_IMAGE + "hang-load"));

        assertThat(failure(provider, withTimeouts(60_000, 500))).endsWith("the device has not opened in 500 ms");
    }

    private static GpuSettings withTimeouts(int answerMs, int openMs) {
        CombTable table = new CombTable(4);
        return new GpuSettings(0, 1, 50, 32, 4, 4, table.sizeBytes(), 3, 0, 1, 4, answerMs, openMs);
    }

    @Test
    void shouldRefuseImageThatDriverCannotLoad() {
        GpuProvider provider = TestDevice.provider(new KernelImage("neither"));

        assertThat(failure(provider, TestDevice.SMALL)).contains("could not be opened", "CUDA_ERROR_INVALID_IMAGE");
    }

    @Test
    void shouldSayWhenThereIsNoSuchDevice() {
        GpuSettings second = new GpuSettings(1, 1, 50, 32, 4, 4, 1 << 20, 3, 0, 1, 4, 1_000, 120_000);
        GpuProvider provider = TestDevice.provider(TestDevice.SOURCE);

        assertThat(failure(provider, second)).isEqualTo("there is no CUDA device 1");
    }

    private static String failure(GpuProvider provider, GpuSettings config) {
        assertThat(provider.open(config, VerifierSettings.best())).isInstanceOf(Opening.Failed.class);
        return ((Opening.Failed<SignatureVerifier>) provider.open(config, VerifierSettings.best())).reason();
    }
}
