package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.BatchPreference.Callers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring's lanes with a verifier that a test holds back: what is collected, who calls, and the order of verdicts. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class VerificationLanesTest {
    private static final int BATCHES = 400;
    private static final BatchPreference DEVICE = new BatchPreference(65, 4_096, 65_536, Callers.ONE);

    @TempDir
    private Path directory;

    private IngressFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new IngressFixture(directory);
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldCollectForADeviceWhatLanesDecode(int laneCount) throws Exception {
        fixture.startRing(laneCount, DEVICE);

        submitHeldBack();

        // The first batch came alone and did not wait; the others came while it was verified, and the lanes may still
        // be decoding the last of them when it ends.
        assertThat(fixture.verifier.sizes.peek()).isEqualTo(1);
        assertThat(fixture.verifier.sizes).anyMatch(size -> size >= DEVICE.least());
        assertThat(fixture.verifier.sizes.stream().mapToInt(size -> size).sum()).isEqualTo(BATCHES);
        assertThat(fixture.verifier.callers).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldVerifyInEveryLaneOnCores(int laneCount) throws Exception {
        fixture.startRing(laneCount, BatchPreference.perCore(16, 32));

        submitHeldBack();

        assertThat(fixture.verifier.callers).hasSize(laneCount);
        assertThat(fixture.verifier.sizes).allMatch(size -> size <= 32).contains(32);
        assertThat(fixture.verifier.sizes.stream().mapToInt(size -> size).sum()).isEqualTo(BATCHES);
    }

    @Test
    void shouldVerifyEachAloneWhereTheExperimentAsksForIt() throws Exception {
        fixture.startRing(2, DEVICE.atMost(1));

        submitHeldBack();

        assertThat(fixture.verifier.sizes).hasSize(BATCHES).containsOnly(1);
    }

    /** A slot that waits for its signature holds back those after it, whichever lane has verified them. */
    @Test
    void shouldAdmitNothingBeforeItIsVerified() throws Exception {
        fixture.startRing(4, BatchPreference.perCore(16, 32));
        assertThat(fixture.offer(0)).isTrue();
        fixture.verifier.isAsked.await();
        for (int i = 1; i < 200; i++) {
            assertThat(fixture.offer(i)).isTrue();
        }

        assertThat(fixture.answers.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThat(fixture.depth()).isEqualTo(200);
    }

    /** Offers one batch, and the others while it is verified; then checks every verdict and its place. */
    private void submitHeldBack() throws InterruptedException {
        assertThat(fixture.offer(0)).isTrue();
        fixture.verifier.isAsked.await();
        for (int i = 1; i < BATCHES; i++) {
            assertThat(fixture.offer(i)).isTrue();
        }
        fixture.verifier.isHeld.countDown();

        fixture.assertVerdicts(BATCHES);
    }
}
