package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.Suspicion;
import org.junit.jupiter.api.Test;

/**
 * A primary whose process stands still, or whose machine is gone without a word: its connections last, and nothing
 * comes over them. A heartbeat period is 20 ms, the floor of the bound 5 periods, its ceiling 100.
 */
class SilenceTest {
    private static final int FLOOR = 5;
    private static final int CEILING = 100;
    private static final long ALL = 0b1111;
    private static final long WITHOUT_0 = 0b1110;

    private static final long MS = TestCluster.MS;

    /** No test lasts until the cap of the timeouts. */
    private final TestCluster cluster = new TestCluster(4, builder -> builder.timeouts(2_000 * MS, 60_000 * MS));

    SilenceTest() {
        for (int node = 0; node < 4; node++) {
            for (int peer = 0; peer < 4; peer++) {
                if (peer != node) {
                    cluster.input(node, new Input.Connected(peer));
                }
            }
        }
    }

    /** Lets periods pass in which these replicas are heard by everybody. */
    private void hear(long replicas, int periods) {
        for (int node = 0; node < 4; node++) {
            hear(node, replicas, periods);
        }
        cluster.run();
    }

    private void hear(int node, long replicas, int periods) {
        for (int period = 0; period < periods; period++) {
            cluster.input(node, new Input.Heard(replicas));
        }
    }

    private void stop() {
        cluster.crash(0);
    }

    private boolean isReplaced() {
        return cluster.replica(1).view() == 1
                && cluster.replica(2).view() == 1
                && cluster.replica(3).view() == 1;
    }

    @Test
    void shouldReplaceAPrimaryThatIsSilentForTheFloor() {
        hear(ALL, Silence.HEARD_MIN);
        stop();
        cluster.submit();

        hear(WITHOUT_0, FLOOR - 1);
        assertThat(cluster.replica(3).view()).isZero();

        hear(WITHOUT_0, 1);
        assertThat(isReplaced()).isTrue();
        assertThat(cluster.nodes.subList(1, 4)).allMatch(node -> node.delivered.size() == 1);
    }

    @Test
    void shouldReplaceASilentPrimaryAsSoonAsABatchWaits() {
        hear(ALL, Silence.HEARD_MIN);
        stop();
        hear(WITHOUT_0, 10 * FLOOR);
        assertThat(cluster.replica(3).view()).isZero();

        cluster.submit();
        cluster.run();

        assertThat(isReplaced()).isTrue();
    }

    /** One that starts is slow, and may not have the time for heartbeats. */
    @Test
    void shouldNotJudgeAPrimaryThatWasHardlyHeard() {
        hear(ALL, Silence.HEARD_MIN - 1);
        stop();
        cluster.submit();

        hear(WITHOUT_0, CEILING - 1);

        assertThat(cluster.replica(3).view()).isZero();
    }

    @Test
    void shouldJudgeAnewAfterAConnection() {
        hear(ALL, Silence.HEARD_MIN);
        hear(WITHOUT_0, FLOOR);
        for (int node = 1; node < 4; node++) {
            cluster.input(node, new Input.Connected(0));
        }
        cluster.link = (from, to, message) -> from != 0;
        cluster.submit();

        hear(WITHOUT_0, CEILING - 1);

        assertThat(cluster.replica(3).view()).isZero();
    }

    @Test
    void shouldSkipAPrimaryThatIsSilentBeforeItsViewBegins() {
        hear(ALL, Silence.HEARD_MIN);
        cluster.crash(1);
        TestCluster seven = new TestCluster(7);
        for (int node = 0; node < 7; node++) {
            for (int period = 0; period < Silence.HEARD_MIN; period++) {
                seven.input(node, new Input.Heard(0b1111111));
            }
        }
        seven.crash(0);
        seven.crash(1);
        seven.submit();

        for (int period = 0; period < FLOOR + 1; period++) {
            for (int node = 2; node < 7; node++) {
                seven.input(node, new Input.Heard(0b1111100));
            }
            seven.run();
        }

        assertThat(seven.nodes.subList(2, 7)).allMatch(node -> node.replica.view() == 2 && node.delivered.size() == 1);
    }

    /** A wrong suspicion doubles the bound; those of f replicas alone do so for them alone. */
    @Test
    void shouldWaitTwiceAsLongAsASilenceThatEnded() {
        hear(ALL, Silence.HEARD_MIN);
        hear(WITHOUT_0, 20);
        hear(ALL, 1);
        stop();
        cluster.submit();

        hear(WITHOUT_0, 39);
        assertThat(cluster.replica(3).view()).isZero();

        hear(WITHOUT_0, 1);
        assertThat(isReplaced()).isTrue();
    }

    @Test
    void shouldWaitForEachReplicaAsLongAsOneCorrectOneMayBeSilent() {
        Core core = core();
        hearAll(core, Silence.HEARD_MIN);

        silent(core, 0b1101, 30);
        assertThat(bounds(core)).as("replica 1 alone").containsExactly(FLOOR, 60, FLOOR, FLOOR);

        silent(core, 0b1011, 8);
        assertThat(bounds(core)).as("replica 2 too").containsExactly(16, 60, 16, 16);
    }

    @Test
    void shouldLearnNothingFromASilenceThatEndsWithTheConnection() {
        Core core = core();
        hearAll(core, Silence.HEARD_MIN);
        for (int period = 0; period < 50; period++) {
            core.silence.onPeriod(0b1101);
        }

        core.silence.onConnected(1);
        hearAll(core, 1);

        assertThat(bounds(core)).containsOnly(FLOOR);
    }

    @Test
    void shouldNeverWaitLongerThanTheRequestTimeout() {
        Core core = core();
        hearAll(core, Silence.HEARD_MIN);

        silent(core, 0b0001, 10 * CEILING);

        assertThat(bounds(core)).containsOnly(CEILING);
    }

    @Test
    void shouldForgetAfterTwoWindows() {
        Core core = core();
        hearAll(core, Silence.HEARD_MIN);
        silent(core, 0b0001, 20);

        hearAll(core, Silence.WINDOW_PERIODS);
        assertThat(bounds(core)).containsOnly(40);

        hearAll(core, Silence.WINDOW_PERIODS);
        assertThat(bounds(core)).containsOnly(FLOOR);
    }

    private static Core core() {
        return new Core(
                ReplicaConfig.builder(0, 4, TestCluster.CHAIN_ID).build(), Quorum.of(4), TestCluster.signerOf(0));
    }

    private static void hearAll(Core core, int periods) {
        for (int period = 0; period < periods; period++) {
            core.silence.onPeriod(ALL);
        }
    }

    /** Only those are heard, and then all again. */
    private static void silent(Core core, long heard, int periods) {
        for (int period = 0; period < periods; period++) {
            core.silence.onPeriod(heard);
        }
        core.silence.onPeriod(ALL);
    }

    private static int[] bounds(Core core) {
        return new int[] {core.silence.bound(0), core.silence.bound(1), core.silence.bound(2), core.silence.bound(3)};
    }

    /** Each backup alone misses the primary for a moment, one after the other. */
    @Test
    void shouldKeepAPrimaryThatReplicasMissedAtDifferentTimes() {
        hear(ALL, Silence.HEARD_MIN);
        cluster.link = (from, to, message) -> from != 0;
        cluster.submit();
        for (int node = 1; node < 4; node++) {
            hear(node, WITHOUT_0, FLOOR);
            cluster.run();
            assertThat(cluster.node(node).sent(Suspicion.class)).hasSize(1);
            hear(node, ALL, 1);
            cluster.settle(Suspicions.VALID_PERIODS + 1);
        }

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0);
    }

    /** What is said while the first suspicion counts ends the view. */
    @Test
    void shouldReplaceAPrimaryThatTwoMissedAtAboutTheSameTime() {
        hear(ALL, Silence.HEARD_MIN);
        cluster.link = (from, to, message) -> from != 0;
        cluster.submit();
        for (int node = 1; node < 3; node++) {
            hear(node, WITHOUT_0, FLOOR);
            hear(node, ALL, 1);
        }
        cluster.run();

        assertThat(isReplaced()).isTrue();
    }

    /** A suspicion whose reason lasts is repeated, and counts until the second comes. */
    @Test
    void shouldCountASuspicionAsLongAsItIsRepeated() {
        cluster.link = (from, to, message) -> from != 0;
        cluster.submit();
        cluster.fire(1, Timer.REQUEST);
        cluster.settle(3 * Suspicions.VALID_PERIODS);
        assertThat(cluster.replica(3).view()).isZero();

        cluster.fire(2, Timer.REQUEST);
        cluster.run();

        assertThat(isReplaced()).isTrue();
    }
}
