package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.vocabulary.SessionKey;
import org.junit.jupiter.api.Test;

/**
 * What a primary may do with its power over time (pitfalls 4 and 5): who is silent, lets a trickle through, or serves
 * some brokers only, is replaced; who is merely overloaded is not. The REQUEST timeout is 2 s, the cap 8 s.
 */
class SupervisionTest {
    private static final long MS = TestCluster.MS;
    private static final int BROKER = 1;
    private static final int OTHER = 2;
    private static final int SESSIONS = FaultyPrimary.SESSIONS;

    private final TestCluster cluster = new TestCluster(4, builder -> builder.block(40, 500 * MS));
    private final FaultyPrimary primary = new FaultyPrimary(cluster);

    /** Rule 6, absence: long before the REQUEST timeout of 2 s. */
    @Test
    void shouldReplaceAnAbsentPrimaryWithinTheGraceOfItsConnection() {
        cluster.crash(0);
        for (int node = 1; node < 4; node++) {
            cluster.input(node, new Input.Disconnected(0));
        }
        cluster.submit();
        cluster.advance(99 * MS);
        assertThat(cluster.replica(3).view()).isZero();

        cluster.advance(1 * MS);

        assertThat(cluster.nodes.subList(1, 4))
                .allMatch(node -> node.replica.view() == 1 && node.delivered.size() == 1);
    }

    @Test
    void shouldKeepAPrimaryFromWhichOneReplicaIsCutOff() {
        cluster.link = (from, to, message) -> from != 0 || to != 3;
        cluster.input(3, new Input.Disconnected(0));
        for (int i = 0; i < 5; i++) {
            cluster.submit();
            cluster.advance(1_000 * MS);
        }

        assertThat(cluster.node(3).sent(Suspicion.class)).as("it suspects").isNotEmpty();
        assertThat(cluster.nodes)
                .as("and takes part")
                .allMatch(
                        node -> node.replica.view() == 0 && node.replica.state().mayVote());
        assertThat(cluster.nodes.subList(0, 3)).allMatch(node -> node.delivered.size() == 5);
    }

    @Test
    void shouldKeepAnAbsentPrimaryWhileNothingWaits() {
        for (int node = 1; node < 4; node++) {
            cluster.input(node, new Input.Disconnected(0));
        }
        cluster.advance(10_000 * MS);

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0);
    }

    private boolean isReplaced() {
        return cluster.replica(1).view() > 0;
    }

    @Test
    void shouldReplaceAPrimaryThatStarvesABrokerByADrip() {
        primary.takeOver();
        primary.submit(BROKER, 100);

        for (int tenths = 1; tenths <= 120 && !isReplaced(); tenths++) {
            cluster.advance(100 * MS);
            primary.submit(OTHER, 19);
            primary.propose(tenths % 75 == 0 ? 1 : 0, 19);
        }

        assertThat(cluster.nodes.subList(1, 4)).allMatch(node -> node.replica.view() == 1);
        cluster.advance(2_000 * MS);
        assertThat(cluster.replica(1).pendingCount()).isZero();
    }

    /** One broker alone: the share is of one full block in 4 s. */
    @Test
    void shouldReplaceAPrimaryThatDripsToEverybody() {
        primary.takeOver();
        primary.submit(BROKER, 100);

        for (int tenths = 1; tenths <= 120 && !isReplaced(); tenths++) {
            cluster.advance(100 * MS);
            if (tenths % 15 == 0) {
                primary.propose(1, 0);
            }
        }

        assertThat(isReplaced()).isTrue();
    }

    /** The share is of what all brokers got: 10 of 770 in 4 s is less than an eighth of the half. */
    @Test
    void shouldReplaceAPrimaryThatGivesABrokerAFewOfVeryMany() {
        primary.takeOver();
        primary.submit(BROKER, 100);

        for (int tenths = 1; tenths <= 120 && !isReplaced(); tenths++) {
            cluster.advance(100 * MS);
            primary.submit(OTHER, 19);
            primary.propose(tenths % 4 == 0 ? 1 : 0, 19);
        }

        assertThat(isReplaced()).isTrue();
    }

    /**
     * One batch below the limit is tolerated: a broker alone with 4 batches in 4 s of blocks of 40 keeps its primary.
     */
    @Test
    void shouldTolerateOneBatchBelowTheLimit() {
        primary.takeOver();
        primary.submit(BROKER, 100);

        for (int seconds = 1; seconds <= 30; seconds++) {
            cluster.advance(1_000 * MS);
            primary.propose(1, 0);
        }

        assertThat(isReplaced()).isFalse();
    }

    /** The drip satisfies a clock that starts when a batch becomes the oldest; the age counts from arrival. */
    @Test
    void shouldNotWaitLongerForTheNextBatchOfADrip() {
        primary.takeOver();
        primary.submit(BROKER, 100);

        for (int tenths = 1; tenths <= 79; tenths++) {
            cluster.advance(100 * MS);
            primary.submit(OTHER, 19);
            primary.propose(tenths == 75 ? 1 : 0, 19);
        }
        assertThat(isReplaced()).as("before the cap").isFalse();

        cluster.advance(400 * MS);
        assertThat(isReplaced())
                .as("after the cap, 0.8 s after a batch of the drip")
                .isTrue();
    }

    /** The other sessions of its broker are served well. */
    @Test
    void shouldReplaceAPrimaryThatPassesASessionOverAfterTheCap() {
        primary.takeOver();
        SessionEnd passedOver = new SessionEnd(SessionKey.of(BROKER, SESSIONS), 1, TestCluster.batchId(1));
        for (int node = 0; node < 4; node++) {
            cluster.available(node, passedOver);
        }

        for (int tenths = 1; tenths <= 79; tenths++) {
            primary.submit(BROKER, 10);
            cluster.advance(100 * MS);
            primary.propose(10, 0);
        }
        assertThat(isReplaced()).as("before the cap").isFalse();

        cluster.advance(400 * MS);
        assertThat(isReplaced()).as("after the cap").isTrue();
        cluster.advance(1_000 * MS);
        assertThat(cluster.node(2).delivered).flatExtracting(Proposal::ends).contains(passedOver);
    }

    /** TOCS 2002, section 4.5.1, the timer of a backup; it restarts with each delivery in order (pitfall 5). */
    @Test
    void shouldReplaceASilentPrimaryAfterTheRequestTimeout() {
        primary.takeOver();
        primary.submit(BROKER, 3);
        cluster.advance(1_500 * MS);
        primary.propose(2, 0);

        cluster.advance(1_999 * MS);
        assertThat(isReplaced()).isFalse();

        cluster.advance(MS);
        assertThat(isReplaced()).isTrue();
    }

    @Test
    void shouldNotTimeAPrimaryForWhichNothingWaits() {
        primary.takeOver();
        primary.submit(BROKER, 2);
        cluster.advance(1_500 * MS);
        primary.propose(2, 0);

        cluster.advance(60_000 * MS);

        assertThat(isReplaced()).isFalse();
        assertThat(cluster.node(1).isTimerRunning(Timer.REQUEST)).isFalse();
    }

    /** Back pressure is no fault: a backlog of 40 s that is served in turn. */
    @Test
    void shouldKeepAnOverloadedPrimaryThatServesBrokersInTurn() {
        primary.takeOver();
        primary.submit(BROKER, 4_000);
        primary.submit(OTHER, 4_000);

        for (int tenths = 1; tenths <= 390; tenths++) {
            cluster.advance(100 * MS);
            primary.propose(10, 10);
        }

        assertThat(isReplaced()).isFalse();
        assertThat(cluster.replica(1).pendingCount()).isEqualTo(200);
    }

    /**
     * What was proposed before a broker's first batch came is delivered before it: an early share of others is no
     * fault.
     */
    @Test
    void shouldKeepAPrimaryWhoseBlocksInFlightHoldOneBrokerOnly() {
        primary.takeOver();
        primary.submit(OTHER, 4_000);
        cluster.advance(100 * MS);
        primary.submit(BROKER, 4_000);

        for (int tenths = 1; tenths <= 70; tenths++) {
            cluster.advance(100 * MS);
            primary.propose(0, 20);
        }
        for (int tenths = 1; tenths <= 150; tenths++) {
            cluster.advance(100 * MS);
            primary.propose(10, 10);
        }

        assertThat(isReplaced()).isFalse();
    }

    /**
     * Batches that are late at the primary because their node spread them badly cost their broker a part of its share.
     */
    @Test
    void shouldKeepAPrimaryThatCanServeABrokerLessThanOthers() {
        primary.takeOver();
        primary.submit(BROKER, 1_000);
        primary.submit(OTHER, 4_000);

        for (int tenths = 1; tenths <= 230; tenths++) {
            cluster.advance(100 * MS);
            primary.propose(tenths % 2 == 0 ? 3 : 2, 17);
        }

        assertThat(isReplaced()).isFalse();
    }

    /** The next primary finds batches that are old already. */
    @Test
    void shouldGiveTheNextPrimaryTheWholeCap() {
        cluster.link = (from, to, message) -> from != 0 && !(from == 1 && message instanceof PrePrepare);
        primary.submit(BROKER, 5);
        cluster.advance(2_000 * MS);
        assertThat(cluster.replica(2).view()).isEqualTo(1);

        cluster.advance(1_900 * MS);
        assertThat(cluster.replica(2).view())
                .as("silent, but not for the timeout")
                .isEqualTo(1);

        cluster.advance(200 * MS);
        assertThat(cluster.replica(2).view()).isEqualTo(2);
    }

    @Test
    void shouldNotBlameTheNextPrimaryForTheAgeOfItsFirstBacklog() {
        primary.takeOver();
        primary.submit(BROKER, 100);
        for (int tenths = 1; tenths <= 79; tenths++) {
            cluster.advance(100 * MS);
            primary.submit(OTHER, 20);
            primary.propose(0, 20);
        }
        cluster.link = (from, to, message) -> !(from == 1 && message instanceof PrePrepare);
        cluster.advance(400 * MS);
        assertThat(cluster.replica(2).view()).isEqualTo(1);

        cluster.advance(1_500 * MS);

        assertThat(cluster.replica(2).view()).isEqualTo(1);
    }

    /**
     * Ages count STATUS periods: a process that was stopped for an hour blames nobody for it, nor does one whose clock
     * was set.
     */
    @Test
    void shouldNotAgeBatchesWhileTheProcessIsPaused() {
        primary.takeOver();
        primary.submit(BROKER, 30);
        cluster.advance(100 * MS);

        cluster.nowNs += 3_600_000 * MS;
        primary.propose(20, 0);
        cluster.fire(1, Timer.STATUS);
        cluster.fire(1, Timer.STATUS);

        assertThat(isReplaced()).isFalse();
    }

    /** A session whose broker signed two batches under one number is not passed over. */
    @Test
    void shouldForgetWhatIsWithdrawn() {
        primary.takeOver();
        SessionEnd withdrawn = new SessionEnd(SessionKey.of(BROKER, SESSIONS), 1, TestCluster.batchId(1));
        for (int node = 1; node < 4; node++) {
            cluster.available(node, withdrawn);
            cluster.input(node, new Input.SessionWithdrawn(withdrawn.sessionKey()));
        }
        primary.submit(BROKER, 10);

        for (int tenths = 1; tenths <= 200; tenths++) {
            primary.submit(BROKER, 10);
            cluster.advance(100 * MS);
            primary.propose(10, 0);
        }

        assertThat(isReplaced()).isFalse();
        assertThat(cluster.replica(1).pendingCount()).isEqualTo(10);
    }

    /** A share is judged over half of the cap: how blocks are cut is the primary's affair. */
    @Test
    void shouldKeepAnOverloadedPrimaryWhoseBlocksAreRare() {
        primary.takeOver();
        primary.submit(BROKER, 1_000);
        primary.submit(OTHER, 1_000);

        for (int block = 1; block <= 30; block++) {
            cluster.advance(1_500 * MS);
            primary.propose(20, 20);
        }

        assertThat(isReplaced()).isFalse();
    }

    /** Nobody is to blame for what waits while the own engine keeps the window shut. */
    @Test
    void shouldNotAgeBatchesWhileTheOwnEngineKeepsTheWindowShut() {
        primary.takeOver();
        primary.submit(BROKER, 1_000);
        cluster.node(2).isExecuting = false;
        for (int block = 1; block <= 16; block++) {
            primary.propose(1, 0);
        }
        cluster.link = (from, to, message) -> false;
        cluster.advance(30_000 * MS);
        assertThat(cluster.replica(2).highWatermark())
                .isEqualTo(cluster.replica(2).lastDelivered());

        cluster.node(2).isExecuting = true;
        cluster.execute(cluster.node(2));
        cluster.advance(1_900 * MS);

        assertThat(cluster.replica(2).view()).isZero();
    }

    /** A broker that has nothing waiting takes no room. */
    @Test
    void shouldForgetBrokersThatAreServed() {
        primary.takeOver();
        primary.submit(BROKER, 4_000);
        cluster.advance(100 * MS);
        int held = cluster.replica(1).entryCount();
        for (int broker = 10; broker < 60; broker++) {
            SessionEnd batch = new SessionEnd(SessionKey.of(broker, 0), 1, TestCluster.batchId(broker));
            primary.waiting(OTHER).add(batch);
            for (int node = 1; node < 4; node++) {
                cluster.available(node, batch);
            }
            primary.propose(2, 1);
            cluster.advance(100 * MS);
        }
        cluster.advance(100 * MS);
        primary.propose(10, 0);
        cluster.advance(1_900 * MS);
        primary.propose(10, 0);
        cluster.advance(1_900 * MS);
        primary.propose(10, 0);
        cluster.advance(1_900 * MS);
        primary.propose(10, 0);

        assertThat(isReplaced()).isFalse();
        int slots = (int) (cluster.replica(1).lastDelivered() % 4);
        assertThat(cluster.replica(1).entryCount() - slots)
                .as("50 sessions of other brokers more are remembered, no backlog is")
                .isLessThan(held + 60);
    }
}
