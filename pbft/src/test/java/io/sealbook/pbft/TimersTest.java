package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pitfall 5: a timer that ran out counts only if nothing stopped it or started it again before the shell knew. */
class TimersTest {
    private final List<Output> outputs = new ArrayList<>();
    private final Core core =
            new Core(ReplicaConfig.builder(1, 4, TestCluster.CHAIN_ID).build(), Quorum.of(4), TestCluster.signerOf(1));
    private final Timers timers = core.timers;

    TimersTest() {
        core.out = outputs;
    }

    @Test
    void shouldFireOncePerStart() {
        timers.start(Timer.REQUEST, 5);
        timers.beginCycle();

        assertThat(timers.fired(Timer.REQUEST)).isTrue();
        assertThat(timers.isRunning(Timer.REQUEST)).isFalse();
        assertThat(timers.fired(Timer.REQUEST)).isFalse();
    }

    @Test
    void shouldNotFireInTheCycleInWhichItWasStartedAgain() {
        timers.start(Timer.REQUEST, 5);
        timers.beginCycle();
        timers.start(Timer.REQUEST, 5);

        assertThat(timers.fired(Timer.REQUEST))
                .as("the shell reports the timer that ran before")
                .isFalse();
        assertThat(timers.isRunning(Timer.REQUEST)).isTrue();

        timers.beginCycle();
        assertThat(timers.fired(Timer.REQUEST)).isTrue();
    }

    @Test
    void shouldNotFireOnceStopped() {
        timers.start(Timer.BATCH, 5);
        timers.beginCycle();
        timers.stop(Timer.BATCH);

        assertThat(timers.fired(Timer.BATCH)).isFalse();
    }

    @Test
    void shouldStopAndStartWhatChangesOnly() {
        timers.stop(Timer.BATCH);
        timers.startIfStopped(Timer.BATCH, 5);
        timers.startIfStopped(Timer.BATCH, 7);
        timers.stop(Timer.BATCH);
        timers.stop(Timer.BATCH);

        assertThat(outputs).containsExactly(new Output.StartTimer(Timer.BATCH, 5), new Output.StopTimer(Timer.BATCH));
    }

    /** A delivery in the duty cycle that also reports the REQUEST timer keeps the view: the primary was in time. */
    @Test
    void shouldKeepThePrimaryWhoseBlockCameInTheSameCycle() {
        TestCluster cluster = new TestCluster(4);
        cluster.link = (from, to, message) -> false;
        cluster.submit();
        cluster.submit();
        Replica backup = cluster.replica(1);
        cluster.receive(0, new BatchAck(List.of(TestCluster.batch(0)), 2));
        PrePrepare first = cluster.node(0).sent(PrePrepare.class).getFirst();
        List<Output> said = new ArrayList<>();

        backup.step(new Input.Clock(cluster.nowNs), said);
        backup.step(new Input.Received(first), said);
        for (int sender : new int[] {0, 2, 3}) {
            backup.step(new Input.Received(new Commit(0, 1, first.digest(), sender)), said);
        }

        backup.step(new Input.TimerFired(Timer.REQUEST), said);

        assertThat(backup.lastDelivered()).isEqualTo(1);
        assertThat(backup.view()).isZero();
    }
}
