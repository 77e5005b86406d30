package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A primary that slows all brokers alike is replaced (pitfall 4), and nobody else is. The REQUEST timeout is 2 s, the
 * grace an eighth of it, 13 periods of 20 ms; 200 periods are judged. Later the timeout is 1 s, the grace 7 periods.
 */
class PipelineUseTest {
    private static final long MS = TestCluster.MS;
    private static final long PERIOD_NS = ReplicaConfig.HEARTBEAT_NS;
    private static final long ALL = 0b1111;
    private static final int BROKER = FaultyPrimary.BROKER;
    /** After the first 32 blocks. */
    private static final int GRACE = 7;

    private static final int WINDOW = 200;

    private final TestCluster cluster = new TestCluster(4, builder -> builder.block(100, 500 * MS));
    private final FaultyPrimary primary = new FaultyPrimary(cluster);

    /** A heartbeat period passes, and each replica looks. */
    private void period() {
        cluster.advance(PERIOD_NS);
        for (int node = 0; node < 4; node++) {
            cluster.input(node, new Input.Heard(ALL));
        }
        cluster.run();
    }

    private boolean isReplaced() {
        return cluster.replica(1).view() > 0;
    }

    private void proposeAll() {
        primary.propose(primary.waiting(BROKER).size(), 0);
    }

    /** A batch per period, and a block of all that waits per so many periods. */
    private void runWithABlockPer(int blockPeriods, int periods) {
        primary.takeOver();
        for (int i = 1; i <= periods && !isReplaced(); i++) {
            primary.submit(BROKER, 1);
            period();
            if (i % blockPeriods == 0 && !isReplaced()) {
                proposeAll();
            }
        }
    }

    /** A block per second is well below the REQUEST timeout, and delays each batch by half a second. */
    @Test
    void shouldReplaceAPrimaryThatRestsBeforeEachBlock() {
        runWithABlockPer(50, 3 * WINDOW);

        assertThat(cluster.nodes.subList(1, 4)).allMatch(node -> node.replica.view() == 1);
        cluster.advance(1_000 * MS);
        assertThat(cluster.replica(1).pendingCount()).isZero();
    }

    @Test
    void shouldToleratePausesOfTwiceTheGrace() {
        runWithABlockPer(2 * GRACE, 6 * WINDOW);

        assertThat(isReplaced()).isFalse();
        assertThat(cluster.nodes).allMatch(node -> node.sent(Suspicion.class).isEmpty());
    }

    @Test
    void shouldJudgeNoPrimaryBeforeTheWindowIsOver() {
        primary.takeOver();
        for (int i = 1; i < WINDOW; i++) {
            primary.submit(BROKER, 1);
            period();
            if (i % 90 == 0) {
                proposeAll();
            }
        }
        assertThat(isReplaced()).isFalse();

        period();

        assertThat(isReplaced()).isTrue();
    }

    /** What a quorum needs is not the primary's: each block is in flight for 0.4 s at least. */
    @Test
    void shouldKeepAPrimaryWhoseQuorumIsSlow() {
        primary.takeOver();
        boolean[] passes = {false};
        cluster.link = (from, to, message) -> passes[0] || !(message instanceof Commit);
        for (int i = 1; i <= 4 * WINDOW; i++) {
            primary.submit(BROKER, 1);
            passes[0] = i % 45 > 20;
            period();
            if (i % 45 == 0) {
                proposeAll();
            }
        }

        assertThat(cluster.replica(1).lastDelivered()).isPositive();
        assertThat(isReplaced()).isFalse();
    }

    /** It proposes at once, and never more than one batch. */
    @Test
    void shouldReplaceAPrimaryThatProposesOneBatchAtATime() {
        primary.takeOver();
        for (int i = 1; i <= 3 * WINDOW && !isReplaced(); i++) {
            primary.submit(BROKER, 5);
            period();
            if (!isReplaced()) {
                primary.propose(1, 0);
            }
        }

        assertThat(isReplaced()).isTrue();
    }

    /** A quarter of a full block is enough: what it lacks may be late at the primary. */
    @Test
    void shouldKeepAPrimaryThatProposesAQuarterOfAFullBlock() {
        primary.takeOver();
        primary.submit(BROKER, 1_000);
        for (int i = 1; i <= 3 * WINDOW; i++) {
            period();
            primary.submit(BROKER, 25);
            primary.propose(25, 0);
        }

        assertThat(isReplaced()).isFalse();
    }

    /** Nobody proposes more than full blocks: a backlog of a minute. */
    @Test
    void shouldKeepAnOverloadedPrimaryWithFullBlocks() {
        primary.takeOver();
        primary.submit(BROKER, 4_000);
        for (int i = 1; i <= 2 * WINDOW; i++) {
            period();
            if (i % 20 == 0) {
                primary.propose(100, 0);
            }
        }

        assertThat(cluster.replica(1).pendingCount()).isEqualTo(2_000);
        assertThat(isReplaced()).isFalse();
    }

    /** Too few acknowledged: the primary may not have it, and one of those who say so may be a liar. */
    @Test
    void shouldBlameNobodyForWhatOneReplicaMayHaveWithheld() {
        primary.takeOver();
        cluster.link = (from, to, message) -> from != 3 || !(message instanceof BatchAck);
        for (int i = 1; i <= 3 * WINDOW; i++) {
            primary.submit(BROKER, 1);
            period();
            if (i % 80 == 0) {
                proposeAll();
            }
        }

        assertThat(cluster.replica(1).view()).isZero();
        assertThat(cluster.node(1).sent(Suspicion.class)).isEmpty();
        assertThat(cluster.node(2).sent(Suspicion.class)).isEmpty();
    }

    /** All periods of a pause come at one instant. */
    @Test
    void shouldBlameNobodyForPausesOfTheOwnProcess() {
        primary.takeOver();
        primary.submit(BROKER, 1);
        period();
        period();
        period();
        for (int node = 1; node < 4; node++) {
            Replica replica = cluster.replica(node);
            replica.step(new Input.Clock(cluster.nowNs), cluster.node(node).outputs);
            for (int i = 0; i < 5 * WINDOW; i++) {
                replica.step(new Input.Heard(ALL), cluster.node(node).outputs);
            }
        }
        period();

        assertThat(isReplaced()).isFalse();
        assertThat(cluster.nodes).allMatch(node -> node.sent(Suspicion.class).isEmpty());
    }

    /** Where every primary looks idle, one of f+1 is correct: the grace grows until none does. */
    @Test
    void shouldGetUsedToPrimariesThatAllLookIdle() {
        List<PrePrepare> kept = new ArrayList<>();
        cluster.link = (from, to, message) -> !(message instanceof PrePrepare late) || !keep(kept, late);
        long views = 0;
        for (int i = 1; i <= 36 * WINDOW; i++) {
            if (i % 10 == 0) {
                cluster.submit();
            }
            period();
            if (i % 30 == 0) {
                show(kept);
            }
            views = i == 26 * WINDOW ? cluster.replica(1).view() : views;
        }

        assertThat(views).as("after 104 s").isBetween(2L, 16L);
        assertThat(cluster.replica(1).view()).as("after 144 s").isEqualTo(views);
    }

    private static boolean keep(List<PrePrepare> kept, PrePrepare late) {
        if (!kept.contains(late)) {
            kept.add(late);
        }
        return true;
    }

    private void show(List<PrePrepare> kept) {
        List<PrePrepare> shown = List.copyOf(kept);
        kept.clear();
        for (PrePrepare prePrepare : shown) {
            for (int node = 0; node < 4; node++) {
                if (node != prePrepare.sender()) {
                    cluster.receive(node, prePrepare);
                }
            }
        }
        cluster.run();
    }

    /** Fast blocks leave nothing waiting for a period, and need no word to all. */
    @Test
    void shouldAcknowledgeToAllOnlyWhatWaits() {
        for (int i = 0; i < 20; i++) {
            cluster.submit();
            period();
        }
        int before = cluster.node(1).sent(BatchAck.class).size();
        assertThat(before).as("to the primary").isEqualTo(20);

        cluster.crash(0);
        cluster.submit();
        period();
        period();
        period();
        period();

        assertThat(cluster.node(1).sent(BatchAck.class)).hasSize(before + 2);
    }

    /** A faulty replica spreads its broker's batches to the others only: the primary fetches them soon. */
    @Test
    void shouldFetchSoonWhatIsWithheldFromThePrimary() {
        TestCluster patient = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        SessionEnd withheld = patient.submit(node -> node != 0);
        patient.run();
        pass(patient, 29 * MS);
        assertThat(patient.replica(0).holds(withheld)).isFalse();
        assertThat(patient.replica(0).watchesClock()).isTrue();

        pass(patient, 1 * MS);
        patient.run();

        assertThat(patient.replica(1).isDelivered(withheld)).isTrue();
        assertThat(patient.replica(0).watchesClock()).isFalse();
    }

    /** The holder that answers is among those that are asked at once: f of them may be silent. */
    @Test
    void shouldAskMoreThanAreFaultyForWhatIsWithheld() {
        TestCluster patient = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        SessionEnd withheld = patient.submit(node -> node != 0);
        patient.run();

        pass(patient, 30 * MS);

        assertThat(patient.node(0).said(Output.Fetch.class))
                .allMatch(fetch -> fetch.ranges().getFirst().last().equals(withheld))
                .flatExtracting(Output.Fetch::holders)
                .containsExactlyInAnyOrder(1, 2);
    }

    /** What it lacks may be in its own queues; what was lost must not wait for several STATUS periods. */
    @Test
    void shouldFetchLaterWhileItsProposalIsInFlight() {
        TestCluster busy = withProposalInFlight();
        SessionEnd withheld = busy.submit(node -> node != 0);
        busy.run();

        pass(busy, 119 * MS);
        assertThat(busy.node(0).said(Output.Fetch.class)).isEmpty();
        pass(busy, 1 * MS);

        assertThat(busy.node(0).said(Output.Fetch.class))
                .allMatch(fetch -> fetch.ranges().getFirst().last().equals(withheld))
                .flatExtracting(Output.Fetch::holders)
                .containsExactlyInAnyOrder(1, 2);
    }

    /** Some batch is always under way where much comes: nothing is lost as long as the session goes on. */
    @Test
    void shouldFetchNothingOfASessionThatGoesOnWhileItsProposalIsInFlight() {
        TestCluster busy = withProposalInFlight();
        List<SessionEnd> session = new ArrayList<>();
        for (int number = 1; number <= 9; number++) {
            session.add(new SessionEnd(SessionKey.of(1, 99), number, TestCluster.batchId(1_000 + number)));
        }

        for (int i = 0; i < session.size(); i++) {
            for (int node = 1; node < 4; node++) {
                hold(busy, node, session, i);
            }
            busy.run();
            pass(busy, 50 * MS);
            if (i > 0) {
                hold(busy, 0, session, i - 1);
            }
        }
        assertThat(busy.replica(0).watchesClock()).isTrue();
        assertThat(busy.node(0).said(Output.Fetch.class)).isEmpty();

        pass(busy, 120 * MS);

        assertThat(busy.node(0).said(Output.Fetch.class)).hasSize(2);
    }

    private static void hold(TestCluster cluster, int node, List<SessionEnd> session, int index) {
        Digest before = index == 0 ? Digest.ZERO : session.get(index - 1).id();
        cluster.input(node, new Input.BatchAvailable(session.get(index), before));
    }

    private static TestCluster withProposalInFlight() {
        TestCluster busy = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        busy.link = (from, to, message) -> !(message instanceof Commit);
        busy.submit();
        busy.run();
        return busy;
    }

    /** Time passes at a primary that looks at its clock in each heartbeat period. */
    private static void pass(TestCluster patient, long ns) {
        long endNs = patient.nowNs + ns;
        while (patient.nowNs < endNs) {
            patient.nowNs = Math.min(endNs, patient.nowNs + 20 * MS);
            patient.input(0, new Input.Heard(ALL));
        }
    }

    /** What came meanwhile is in its queues: the batch comes a few milliseconds after it goes on. */
    @Test
    void shouldFetchNothingForThePauseOfItsOwnProcess() {
        TestCluster patient = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        SessionEnd late = patient.submit(node -> node != 0);
        patient.run();

        pause(patient, 3_000 * MS);
        patient.nowNs += 5 * MS;
        patient.available(0, late);
        patient.run();

        assertThat(patient.node(0).said(Output.Fetch.class)).isEmpty();
        assertThat(patient.replica(1).isDelivered(late)).isTrue();
    }

    @Test
    void shouldFetchAfterThePauseWhatDoesNotComeThen() {
        for (TestCluster cluster :
                List.of(new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS)), withProposalInFlight())) {
            cluster.submit(node -> node != 0);
            cluster.run();

            pause(cluster, 3_000 * MS);
            assertThat(cluster.node(0).said(Output.Fetch.class)).isEmpty();
            pass(cluster, 120 * MS);

            assertThat(cluster.node(0).said(Output.Fetch.class)).hasSizeGreaterThanOrEqualTo(2);
        }
    }

    /** The clock of block times may be set back: what is missing does not wait until it has caught up. */
    @Test
    void shouldFetchWhatIsWithheldAlthoughItsClockGoesBack() {
        TestCluster patient = new TestCluster(4, builder -> builder.fetchDelayNs(30 * MS));
        patient.submit(node -> node != 0);
        patient.run();

        pause(patient, -3_600_000 * MS);
        pass(patient, 40 * MS);

        assertThat(patient.node(0).said(Output.Fetch.class)).hasSize(2);
    }

    /** The first cycle after the pause begins before anything that came meanwhile is read. */
    private static void pause(TestCluster patient, long ns) {
        patient.nowNs += ns;
        patient.input(0, new Input.Heard(ALL));
    }

    /** 199 periods of the predecessor, and two of the next primary. */
    @Test
    void shouldNotBlameTheNextPrimaryForItsPredecessor() {
        primary.takeOver();
        for (int i = 1; i < WINDOW; i++) {
            primary.submit(BROKER, 1);
            period();
            if (i % 90 == 0) {
                proposeAll();
            }
        }
        cluster.link = (from, to, message) -> !(message instanceof PrePrepare);
        for (int node = 1; node < 3; node++) {
            cluster.receive(3, TestCluster.suspicion(0, node));
            cluster.receive(node, TestCluster.suspicion(0, 3 - node));
            cluster.receive(node, TestCluster.suspicion(0, 3));
        }
        cluster.run();
        assertThat(cluster.replica(2).view()).isEqualTo(1);

        for (int i = 0; i < 3; i++) {
            period();
        }

        assertThat(cluster.replica(2).view()).isEqualTo(1);
        assertThat(cluster.node(2).sent(Suspicion.class)).noneMatch(suspicion -> suspicion.view() == 1);
    }
}
