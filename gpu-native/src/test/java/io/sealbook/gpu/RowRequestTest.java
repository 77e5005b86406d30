package io.sealbook.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.gpu.Sm2Reference.KeyPair;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a caller sees of its request while the device works. */
class RowRequestTest {
    private static final long TIMEOUT_MS = 60_000;

    private static RowRequest request() {
        SignatureBatch batch = new SignatureBatch(1);
        batch.add(KeyPair.of(new Random(1)).key(), new byte[48], new byte[65]);
        RowRequest request = new RowRequest();
        request.add(batch, 0);
        request.begin();
        return request;
    }

    @Test
    void shouldWaitOnWhenTheCallerIsInterrupted() throws Exception {
        RowRequest request = request();
        CompletableFuture<Boolean> hasFlag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Thread.currentThread().interrupt();
            try {
                boolean isAnswered = request.await(TIMEOUT_MS);
                hasFlag.complete(isAnswered && Thread.currentThread().isInterrupted());
            } catch (RuntimeException e) {
                hasFlag.completeExceptionally(e);
            }
        });

        caller.start();
        request.setVerdict(0, RowRequest.VALID);
        request.settle(1);

        assertThat(hasFlag.get()).isTrue();
        assertThat(request.verdict(0)).isEqualTo(RowRequest.VALID);
    }

    @Test
    void shouldGiveUpOnASilentDeviceWhenInterrupted() {
        Thread.currentThread().interrupt();

        assertThat(request().await(1)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }
}
