package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The REQUEST timeout follows what a quorum needs (pitfall 4). It is 2 s at first, its cap 8 s, a period 20 ms. */
class CommitPaceTest {
    private static final long MS = TestCluster.MS;
    private static final long ALL = 0b1111;

    private final CommitPace pace =
            new CommitPace(ReplicaConfig.builder(1, 4, TestCluster.CHAIN_ID).build());

    private void deliver(int count, int periods) {
        for (int i = 0; i < count; i++) {
            pace.onPeriod();
            long accepted = pace.period();
            for (int period = 1; period < periods; period++) {
                pace.onPeriod();
            }
            pace.onDelivered(accepted);
        }
    }

    @Test
    void shouldBeginWithTheConfiguredTimeout() {
        deliver(CommitPace.SAMPLES - 1, 1);

        assertThat(pace.requestTimeoutNs()).isEqualTo(2_000 * MS);
    }

    @Test
    void shouldFollowTheLatencyWithAMargin() {
        deliver(CommitPace.SAMPLES, 10);

        assertThat(pace.requestTimeoutNs()).isEqualTo(8 * 10 * 20 * MS);
    }

    @Test
    void shouldStayAboveHalfOfTheConfiguredTimeout() {
        deliver(CommitPace.SAMPLES, 1);

        assertThat(pace.requestTimeoutNs()).isEqualTo(1_000 * MS);
    }

    /** Half a second each way: a proposal takes a second and a half. */
    @Test
    void shouldBePatientWithSlowLinksUpToTheCap() {
        deliver(CommitPace.SAMPLES, 75);

        assertThat(pace.requestTimeoutNs()).isEqualTo(8_000 * MS);
    }

    /** A primary that shows this replica two of three proposals a second before the others see them. */
    @Test
    void shouldNotBeMadePatientByProposalsThatComeEarly() {
        for (int i = 0; i < 2 * CommitPace.SAMPLES; i++) {
            deliver(1, i % 3 == 0 ? 2 : 50);
        }

        assertThat(pace.requestTimeoutNs()).isEqualTo(1_000 * MS);
    }

    @Test
    void shouldForgetWhatWasSlow() {
        deliver(CommitPace.SAMPLES, 75);
        deliver(CommitPace.SAMPLES, 1);

        assertThat(pace.requestTimeoutNs()).isEqualTo(1_000 * MS);
    }

    /** One block per 1.8 s is below the configured timeout, and above what the cluster needs. */
    @Test
    void shouldReplaceAPrimaryThatIsJustBelowTheConfiguredTimeout() {
        TestCluster cluster = new TestCluster(4);
        for (int i = 0; i < 2 * CommitPace.SAMPLES; i++) {
            for (int node = 0; node < 4; node++) {
                cluster.input(node, new Input.Heard(ALL));
            }
            cluster.submit();
            cluster.run();
        }
        cluster.link = (from, to, message) -> from != 0;
        cluster.submit();
        cluster.advance(999 * MS);
        assertThat(cluster.replica(1).view()).isZero();

        cluster.advance(MS);

        assertThat(cluster.nodes.subList(1, 4)).allMatch(node -> node.replica.view() == 1);
    }
}
