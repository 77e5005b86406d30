package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Suspicion;
import org.junit.jupiter.api.Test;

/** A primary that is about to stop gives its view up, and no replica waits for a timer. */
class HandOverTest {
    private static final long MS = TestCluster.MS;

    private final TestCluster cluster = new TestCluster(4);

    @Test
    void shouldBeginTheNextViewAtOnceWhenItsPrimaryHandsOver() {
        cluster.submit();
        cluster.input(0, new Input.HandOver());
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1 && node.replica.isViewActive());
        assertThat(cluster.replica(0).state().mayVote())
                .as("it votes until it ends")
                .isTrue();
        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 1);
        cluster.submit();
        cluster.run();
        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 2);
    }

    @Test
    void shouldProposeNothingAfterTheHandOver() {
        cluster.link = (from, to, message) -> !(message instanceof Suspicion);
        cluster.input(0, new Input.HandOver());
        cluster.submit();
        cluster.run();

        assertThat(cluster.node(0).sent(PrePrepare.class)).isEmpty();
    }

    @Test
    void shouldLeaveTheViewOfAnotherPrimaryAlone() {
        cluster.input(2, new Input.HandOver());
        cluster.submit();
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0 && node.delivered.size() == 1);
    }

    /** It got its office while it was about to stop. */
    @Test
    void shouldHandOverAViewThatItEntersLater() {
        cluster.input(1, new Input.HandOver());
        cluster.crash(0);
        cluster.submit();
        cluster.advance(2_000 * MS);

        assertThat(cluster.nodes.subList(1, 4))
                .allMatch(node -> node.replica.view() == 2 && node.delivered.size() == 1);
    }

    /** Nothing waits that would make a replica look at its primary. */
    @Test
    void shouldSayItAgainWhenItWasLost() {
        cluster.link = (from, to, message) -> from != 0 || !(message instanceof Suspicion);
        cluster.input(0, new Input.HandOver());
        cluster.run();
        assertThat(cluster.replica(3).view()).isZero();

        cluster.link = (from, to, message) -> true;
        cluster.advance(600 * MS);

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1 && node.replica.isViewActive());
    }

    /** A replica gives up its own view only. */
    @Test
    void shouldKeepAViewThatOneBackupSuspects() {
        cluster.receive(0, TestCluster.suspicion(0, 1));
        cluster.receive(2, TestCluster.suspicion(0, 1));
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0);
        assertThat(cluster.node(2).sent(Suspicion.class)).isEmpty();
    }
}
