package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The key of a batch has ended: no replica waits for it, and its number is free for another one. */
class VoidedBatchTest {
    private static final long KEY = SessionKey.of(9, 0);
    private static final SessionEnd FIRST = new SessionEnd(KEY, 1, TestCluster.batchId(901));
    private static final SessionEnd OF_THIEF = new SessionEnd(KEY, 2, TestCluster.batchId(902));
    private static final SessionEnd AFTER = new SessionEnd(KEY, 3, TestCluster.batchId(903));
    private static final SessionEnd OF_OWNER = new SessionEnd(KEY, 2, TestCluster.batchId(912));

    private static TestCluster cluster(boolean isFair) {
        return new TestCluster(4, builder -> builder.fairOrder(isFair));
    }

    private static void hold(TestCluster cluster, int node) {
        cluster.available(node, FIRST);
        cluster.input(node, new Input.BatchAvailable(OF_THIEF, FIRST.id()));
        cluster.input(node, new Input.BatchAvailable(AFTER, OF_THIEF.id()));
    }

    @Test
    void shouldDropItAndWhatFollows() {
        TestCluster cluster = cluster(false);
        hold(cluster, 3);

        cluster.input(3, new Input.BatchVoided(OF_THIEF));

        assertThat(cluster.node(3).said(Output.Drop.class)).containsExactly(new Output.Drop(List.of(OF_THIEF, AFTER)));
        assertThat(cluster.replica(3).pendingCount()).isEqualTo(1);
        assertThat(cluster.replica(3).held(KEY)).isEqualTo(1);
    }

    /** The replicas that held it acknowledge the owner's batch under the same number. */
    @Test
    void shouldDeliverAnotherBatchUnderItsNumber() {
        for (boolean isFair : new boolean[] {false, true}) {
            TestCluster cluster = cluster(isFair);
            cluster.link = (from, to, message) -> !(message instanceof BatchAck || message instanceof Arrivals);
            hold(cluster, 1);
            hold(cluster, 2);
            cluster.run();
            cluster.link = (from, to, message) -> true;
            for (int node = 0; node < 4; node++) {
                cluster.input(node, new Input.BatchVoided(OF_THIEF));
                cluster.available(node, FIRST);
                cluster.input(node, new Input.BatchAvailable(OF_OWNER, FIRST.id()));
            }
            for (int period = 0; period < 10; period++) {
                cluster.advance(cluster.node(0).config.statusIntervalNs());
            }

            for (int node = 0; node < 4; node++) {
                assertThat(cluster.replica(node).isDelivered(OF_OWNER))
                        .as("node %d, fair order: %s", node, isFair)
                        .isTrue();
                assertThat(cluster.replica(node).view()).isZero();
            }
        }
    }

    /** Nobody but its holder knows that the key of the reported batch has ended; all reports of a quorum are needed. */
    @Test
    void shouldCountTheReportOfTheBatchThatCameInItsPlace() {
        TestCluster cluster = cluster(true);
        cluster.crash(3);
        cluster.available(1, FIRST);
        cluster.run();
        cluster.input(1, new Input.BatchVoided(FIRST));

        deliverInPlaceOfFirst(cluster);
    }

    /** Its reports of the batch that it held before must not keep it from reporting the next one. */
    @Test
    void shouldReportTheBatchesOfASessionThatIsResumed() {
        TestCluster cluster = cluster(true);
        cluster.crash(3);
        cluster.available(1, FIRST);
        cluster.run();
        cluster.input(1, new Input.SessionWithdrawn(KEY));
        cluster.input(1, new Input.SessionResumed(KEY));

        deliverInPlaceOfFirst(cluster);
    }

    private static void deliverInPlaceOfFirst(TestCluster cluster) {
        SessionEnd ofOwner = new SessionEnd(KEY, 1, TestCluster.batchId(911));
        for (int node = 0; node < 3; node++) {
            cluster.available(node, ofOwner);
        }
        for (int period = 0; period < 10; period++) {
            cluster.advance(cluster.node(0).config.statusIntervalNs());
        }

        for (int node = 0; node < 3; node++) {
            assertThat(cluster.replica(node).isDelivered(ofOwner))
                    .as("node %d", node)
                    .isTrue();
            assertThat(cluster.replica(node).view()).isZero();
        }
    }

    /** What others said of it must not hold up what came later. */
    @Test
    void shouldNotStandStillInAFairOrderForWhatOthersReported() {
        TestCluster cluster = cluster(true);
        hold(cluster, 1);
        hold(cluster, 2);
        cluster.run();
        for (int node = 0; node < 4; node++) {
            cluster.input(node, new Input.BatchVoided(FIRST));
            cluster.input(node, new Input.BatchVoided(OF_THIEF));
            cluster.input(node, new Input.BatchVoided(AFTER));
        }

        SessionEnd sound = cluster.submit();
        cluster.run();

        assertThat(cluster.replica(0).isDelivered(sound)).isTrue();
    }

    @Test
    void shouldNotWaitForOneThatAProposalNamesAndDropItWhenNoneDoes() {
        TestCluster cluster = cluster(false);
        Replica backup = cluster.replica(3);
        cluster.available(3, FIRST);
        cluster.input(3, new Input.RangeAvailable(new BatchRange(FIRST, 0, Digest.ZERO)));
        assertThat(backup.namedThrough(KEY)).isEqualTo(1);

        cluster.input(3, new Input.BatchVoided(FIRST));
        assertThat(cluster.node(3).said(Output.Drop.class)).isEmpty();
        assertThat(backup.holds(FIRST)).isTrue();
        assertThat(backup.pendingCount()).isZero();
        assertThat(cluster.node(3).isTimerRunning(Timer.REQUEST)).isFalse();
    }

    @Test
    void shouldAcknowledgeWhatIsLeft() {
        Replica backup = cluster(false).replica(1);
        List<Output> outputs = new ArrayList<>();

        backup.step(new Input.BatchAvailable(FIRST, Digest.ZERO), outputs);
        backup.step(new Input.BatchAvailable(OF_THIEF, FIRST.id()), outputs);
        backup.step(new Input.BatchVoided(OF_THIEF), outputs);
        backup.step(new Input.Clock(TestCluster.MS), outputs);

        assertThat(outputs)
                .filteredOn(output -> output instanceof Output.Send send && send.message() instanceof BatchAck)
                .containsExactly(new Output.Send(0, new BatchAck(List.of(FIRST), 1)));
    }

    /** It holds another batch under the number now. */
    @Test
    void shouldCountTheNewerOfTwoAcknowledgementsUnderOneNumber() {
        SessionLine line = new SessionLine(KEY, 0, 4);
        line.acknowledge(1, OF_THIEF, 0);
        line.acknowledge(1, OF_OWNER, 0);

        line.hold(FIRST, Digest.ZERO, 0);
        line.hold(OF_OWNER, FIRST.id(), 0);

        assertThat(line.ready(2)).isEqualTo(2);
    }

    @Test
    void shouldWaitAgainForASessionThatIsResumed() {
        TestCluster cluster = cluster(false);
        cluster.input(3, new Input.SessionWithdrawn(KEY));
        cluster.available(3, FIRST);
        assertThat(cluster.replica(3).pendingCount()).isZero();

        cluster.input(3, new Input.SessionResumed(KEY));

        assertThat(cluster.replica(3).pendingCount()).isEqualTo(1);
    }

    @Test
    void shouldHoldNothingOfASessionThatItDoesNotKnow() {
        TestCluster cluster = cluster(true);
        int before = cluster.replica(3).entryCount();

        cluster.input(3, new Input.BatchVoided(FIRST));

        assertThat(cluster.replica(3).entryCount()).isEqualTo(before);
    }
}
