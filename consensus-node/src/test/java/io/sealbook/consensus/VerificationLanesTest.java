package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.BatchPreference.Callers;
import java.nio.file.Path;
import java.util.List;
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
        fixture.hold(200);

        assertThat(fixture.answers.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThat(fixture.depth()).isEqualTo(200);
    }

    /** Those in the ring are verified together; what a peer sends waits for no others. */
    @Test
    void shouldServeEachPeerAndTheBrokersInTurn() throws Exception {
        fixture.startRing(1, BatchPreference.perCore(64, 1_024));
        fixture.hold(BATCHES);
        assertThat(fixture.offerOfPeer(1, 1_001)).isTrue();
        assertThat(fixture.offerOfPeer(2, 1_002)).isTrue();
        assertThat(fixture.offerOfPeer(1, 1_003)).isTrue();
        fixture.verifier.isHeld.countDown();

        List<Long> order = fixture.takeAnswers(BATCHES + 3);

        // Four times 64 batches were in the ring when the first of a peer came.
        assertThat(order.subList(256, 262)).containsExactly(256L, 1_001L, 1_002L, 257L, 1_003L, 258L);
        assertThat(order).filteredOn(number -> number < BATCHES).isSorted();
    }

    @Test
    void shouldRefuseWhatFindsNoRoomAndLoseNothing() throws Exception {
        fixture.startRing(2, BatchPreference.perCore(16, 16));
        // Both lanes have 64 in the ring, beside those that wait.
        int most = 128 + IngressFixture.BROKER_MAX;
        fixture.hold(most);

        assertThat(fixture.offer(most)).isFalse();
        assertThat(fixture.offerOfPeer(1, 1_001)).isTrue();
        assertThat(fixture.depth()).isEqualTo(most + 1);
        fixture.verifier.isHeld.countDown();

        List<Long> order = fixture.takeAnswers(most + 1);
        assertThat(order).filteredOn(number -> number != 1_001).isSorted().hasSize(most);
    }

    /** Offers one batch, and the others while it is verified; then checks every verdict and its place. */
    private void submitHeldBack() throws InterruptedException {
        fixture.hold(BATCHES);
        fixture.verifier.isHeld.countDown();

        fixture.assertVerdicts(BATCHES);
    }
}
