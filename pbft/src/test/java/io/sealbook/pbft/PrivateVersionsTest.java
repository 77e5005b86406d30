package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Pitfall 21: a broker signs several batches under one number, a faulty member hands each to other replicas in private,
 * and nothing follows. Nobody holds two of them until a replica fetches what another one acknowledges.
 */
class PrivateVersionsTest {
    private static final int FAULTY = 3;
    private static final SessionEnd ONE = version(1);
    private static final SessionEnd OTHER = version(2);
    private static final SessionEnd THIRD = version(3);
    private static final int PERIODS_MAX = 20;

    private static SessionEnd version(int number) {
        return new SessionEnd(SessionKey.of(9, 0), 1, TestCluster.batchId(9_000 + number));
    }

    /** The faulty member has handed out the batches, and says nothing. */
    private static TestCluster cluster(boolean isFair, SessionEnd... versions) {
        TestCluster cluster = new TestCluster(4, builder -> builder.fairOrder(isFair));
        cluster.crash(FAULTY);
        for (int node = 0; node < versions.length; node++) {
            cluster.available(node, versions[node]);
        }
        cluster.run();
        return cluster;
    }

    /** Returns what a replica has fetched of the broker's session. */
    private static List<Output.Fetch> fetches(TestCluster cluster, int node) {
        return cluster.node(node).said(Output.Fetch.class).stream()
                .filter(fetch -> fetch.ranges().getFirst().sessionKey() == ONE.sessionKey())
                .toList();
    }

    private static Output.Fetch fetchOf(SessionEnd version, int holder) {
        return new Output.Fetch(List.of(new BatchRange(version, 0, Digest.ZERO)), List.of(holder), false);
    }

    /**
     * Lets time pass until a replica fetches another version. Its shell then holds two batches under one number, and
     * shows them to all.
     */
    private static void withdrawWhenFetched(TestCluster cluster) {
        for (int period = 0; period < PERIODS_MAX && !isAnyFetched(cluster); period++) {
            cluster.advance(cluster.node(0).config.statusIntervalNs());
        }
        assertThat(isAnyFetched(cluster)).as("another version is fetched").isTrue();
        for (int node = 0; node < FAULTY; node++) {
            cluster.input(node, new Input.SessionWithdrawn(ONE.sessionKey()));
        }
        cluster.run();
    }

    private static boolean isAnyFetched(TestCluster cluster) {
        return IntStream.range(0, FAULTY)
                .anyMatch(node -> !fetches(cluster, node).isEmpty());
    }

    @Test
    void shouldFetchTheVersionThatAnotherReplicaHolds() {
        TestCluster cluster = cluster(false, ONE, OTHER, THIRD);

        cluster.settle(8);

        assertThat(fetches(cluster, 0)).contains(fetchOf(OTHER, 1), fetchOf(THIRD, 2));
        assertThat(fetches(cluster, 1)).contains(fetchOf(ONE, 0), fetchOf(THIRD, 2));
        assertThat(fetches(cluster, 2)).contains(fetchOf(ONE, 0), fetchOf(OTHER, 1));
    }

    /** Each replica waits for its own version, and would replace primary after primary. */
    @Test
    void shouldKeepThePrimaryWhereEachReplicaHoldsAnotherVersion() {
        TestCluster cluster = cluster(false, ONE, OTHER, THIRD);

        withdrawWhenFetched(cluster);
        cluster.advance(60_000 * TestCluster.MS);

        assertThat(cluster.nodes)
                .extracting(node -> node.replica.pendingCount())
                .containsOnly(0);
        for (int node = 0; node < FAULTY; node++) {
            assertThat(cluster.replica(node).view()).as("replica %d", node).isZero();
        }
    }

    /** f+1 replicas report a batch that no quorum will report: nothing later may be proposed meanwhile. */
    @Test
    void shouldGoOnInAFairOrderAfterAVersionThatNoQuorumHolds() {
        TestCluster cluster = cluster(true, ONE, ONE, OTHER);
        cluster.nowNs += TestCluster.MS;
        SessionEnd later = cluster.submit();
        cluster.run();
        assertThat(cluster.node(0).delivered)
                .as("before it is known that there are two")
                .isEmpty();

        withdrawWhenFetched(cluster);
        SessionEnd last = cluster.submit();
        cluster.run();

        for (int node = 0; node < FAULTY; node++) {
            assertThat(cluster.node(node).delivered)
                    .as("replica %d", node)
                    .flatExtracting(proposal -> proposal.ends())
                    .containsExactly(later, last);
            assertThat(cluster.replica(node).view()).isZero();
        }
    }

    /** With fair order, too, each replica may hold another version. */
    @Test
    void shouldKeepThePrimaryOfAFairOrderWhereEachReplicaHoldsAnotherVersion() {
        TestCluster cluster = cluster(true, ONE, OTHER, THIRD);

        withdrawWhenFetched(cluster);
        cluster.advance(60_000 * TestCluster.MS);

        for (int node = 0; node < FAULTY; node++) {
            assertThat(cluster.replica(node).pendingCount()).isZero();
            assertThat(cluster.replica(node).view()).isZero();
        }
    }

    /** A lie about a sound session costs a request in the liar's turn. */
    @Test
    void shouldAskALiarOnceInItsTurn() {
        TestCluster cluster = cluster(false, ONE);
        int turns = 5;

        for (int period = 1; period <= turns * 4; period++) {
            for (int number = 0; number < 10; number++) {
                cluster.receive(0, new BatchAck(List.of(version(100 * period + number)), FAULTY));
            }
            cluster.fire(0, Timer.STATUS);
        }

        assertThat(fetches(cluster, 0))
                .hasSize(turns)
                .allMatch(fetch -> fetch.holders().equals(List.of(FAULTY)));
    }

    @Test
    void shouldFetchNothingOfAWithdrawnSession() {
        TestCluster cluster = cluster(false, ONE);
        cluster.receive(0, new BatchAck(List.of(OTHER), 1));
        cluster.input(0, new Input.SessionWithdrawn(ONE.sessionKey()));

        for (int period = 0; period < 8; period++) {
            cluster.fire(0, Timer.STATUS);
        }

        assertThat(fetches(cluster, 0)).isEmpty();
    }
}
