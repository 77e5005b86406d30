package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.agent.NodeLoop;
import io.sealbook.consensus.agent.NodeThreads;
import io.sealbook.consensus.ingress.LoopIngress;
import io.sealbook.crypto.BatchPreference;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches that arrive on an event loop and are verified and admitted there. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LoopIngressTest {
    private static final BatchPreference PREFERENCE = BatchPreference.perCore(16, 32);
    private static final int MUCH_ROOM = 1 << 14;
    /** What the ingress leaves to others, and two inputs for each of ten batches. */
    private static final int ROOM_FOR_TEN = 1_024 + 2 * 10;

    @TempDir
    private Path directory;

    private final AtomicInteger room = new AtomicInteger(MUCH_ROOM);
    private IngressFixture fixture;
    private NodeLoop loop;
    private NodeThreads threads;
    private LoopIngress ingress;

    @BeforeEach
    void open() throws Exception {
        fixture = new IngressFixture(directory);
        fixture.verifier.isHeld.countDown();
        loop = new NodeLoop(0);
        ingress = fixture.startOnLoop(loop, PREFERENCE, room::get);
        threads = new NodeThreads(0, new AgentInbox(), new CommitQueue(64), fixture.failures::add, Optional.of(loop));
        threads.addOnPath("ingress", ingress);
        threads.start();
    }

    @AfterEach
    void close() {
        fixture.close();
        threads.stop();
        loop.close();
    }

    @Test
    void shouldVerifyTogetherWhatCameTogether() throws Exception {
        offer(0, 100);

        fixture.assertVerdicts(100);
        assertThat(fixture.verifier.sizes).containsExactly(32, 32, 32, 4);
        assertThat(fixture.verifier.callers).hasSize(1);
    }

    @Test
    void shouldVerifyALoneBatchAtOnce() throws Exception {
        offer(0, 1);

        fixture.assertVerdicts(1);
        assertThat(fixture.verifier.sizes).containsExactly(1);
        onLoop(() -> assertThat(fixture.depth()).isZero());
    }

    @Test
    void shouldTakeNoMoreThanAgreementHasRoomFor() throws Exception {
        room.set(ROOM_FOR_TEN);

        onLoop(() -> {
            offerHere(0, 30);
            ingress.doWork();
            room.set(0);
            ingress.doWork();
        });

        assertThat(fixture.answers).hasSize(10);
        assertThat(fixture.depth()).isEqualTo(20);
        room.set(MUCH_ROOM);
        fixture.assertVerdicts(30);
    }

    @Test
    void shouldRefuseWhatFindsNoRoomAndLoseNothing() throws Exception {
        room.set(0);
        offer(0, IngressFixture.BROKER_MAX);

        onLoop(() -> assertThat(fixture.offer(IngressFixture.BROKER_MAX)).isFalse());

        assertThat(fixture.depth()).isEqualTo(IngressFixture.BROKER_MAX);
        room.set(MUCH_ROOM);
        fixture.assertVerdicts(IngressFixture.BROKER_MAX);
    }

    /** What a proposal names does not wait for all that brokers have handed in here. */
    @Test
    void shouldServeEachPeerAndTheBrokersInTurn() throws Exception {
        room.set(ROOM_FOR_TEN);

        onLoop(() -> {
            room.set(0);
            offerHere(0, 100);
            assertThat(fixture.offerOfPeer(1, 1_001)).isTrue();
            assertThat(fixture.offerOfPeer(2, 1_002)).isTrue();
            assertThat(fixture.offerOfPeer(1, 1_003)).isTrue();
            room.set(ROOM_FOR_TEN);
            ingress.doWork();
            room.set(0);
        });

        assertThat(fixture.answers)
                .extracting(IngressFixture.Answer::correlationId)
                .containsExactly(0L, 1_001L, 1_002L, 1L, 1_003L, 2L, 3L, 4L, 5L, 6L);
        room.set(MUCH_ROOM);
    }

    /** A broker does not wait for all that another one has handed in here, and finds room beside it. */
    @Test
    void shouldServeBrokersInTurn() throws Exception {
        onLoop(() -> {
            room.set(0);
            offerHere(0, IngressFixture.BROKER_MAX);
            assertThat(fixture.offer(IngressFixture.BROKER_MAX)).isFalse();
            assertThat(fixture.offerOfOtherBroker(2_001)).isTrue();
            assertThat(fixture.offerOfOtherBroker(2_002)).isTrue();
            room.set(ROOM_FOR_TEN);
            ingress.doWork();
            room.set(0);
        });

        assertThat(fixture.answers)
                .extracting(IngressFixture.Answer::correlationId)
                .containsExactly(0L, 2_001L, 1L, 2_002L, 2L, 3L, 4L, 5L, 6L, 7L);
        room.set(MUCH_ROOM);
    }

    @Test
    void shouldGiveVerdictsToWhatHasArrivedWhenItCloses() throws Exception {
        room.set(0);
        offer(0, 50);
        assertThat(fixture.answers).isEmpty();

        room.set(MUCH_ROOM);
        fixture.closeIngress();

        fixture.assertVerdicts(50);
    }

    private void offer(int first, int count) throws Exception {
        onLoop(() -> offerHere(first, count));
    }

    private void onLoop(Runnable task) throws Exception {
        loop.group().next().submit(task).get();
    }

    private void offerHere(int first, int count) {
        for (int i = first; i < first + count; i++) {
            assertThat(fixture.offer(i)).isTrue();
        }
    }
}
