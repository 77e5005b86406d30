package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.TestCluster.Node;
import io.sealbook.pbft.message.Arrival;
import io.sealbook.pbft.message.Arrivals;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Replicas of a chain with fair order, joined by queues: what arrives first is in the chain first, or the view ends.
 */
class FairPrimaryTest {
    private static final int PRIMARY = 0;
    private static final long MS = 1_000_000;

    private final TestCluster cluster =
            new TestCluster(4, builder -> builder.fairOrder(true).block(8, 0));

    private List<SessionEnd> chainOf(int node) {
        return cluster.node(node).delivered.stream()
                .flatMap(proposal -> proposal.ends().stream())
                .toList();
    }

    /** Submits a batch a moment after the one before; nothing is sent meanwhile. */
    private SessionEnd submitLater() {
        cluster.nowNs += 1_000;
        return cluster.submit();
    }

    private static boolean names(Message message, SessionEnd batch) {
        return message instanceof Arrivals arrivals
                && arrivals.arrivals().stream()
                        .anyMatch(arrival -> arrival.batch().equals(batch));
    }

    @Test
    void shouldDeliverInTheOrderOfArrival() {
        SessionEnd first = submitLater();
        SessionEnd second = submitLater();
        cluster.run();
        cluster.settle(1);

        for (Node node : cluster.nodes) {
            assertThat(chainOf(node.id())).containsExactly(first, second);
            assertThat(node.sent(BatchAck.class)).isEmpty();
        }
    }

    @Test
    void shouldDeliverWithTheReportsOfAQuorum() {
        cluster.crash(3);
        SessionEnd batch = submitLater();
        cluster.run();

        assertThat(chainOf(1)).containsExactly(batch);
    }

    @Test
    void shouldReplaceAPrimaryThatLetsALaterBatchPass() {
        // The primary takes no notice of the victim's batch, whoever reports it.
        cluster.link = (from, to, message) -> to != PRIMARY
                || !(message instanceof Arrivals arrivals)
                || arrivals.arrivals().stream()
                        .noneMatch(arrival -> arrival.batch().equals(TestCluster.batch(0)));
        cluster.nowNs += 1_000;
        SessionEnd victim = cluster.submit(node -> node != PRIMARY);
        SessionEnd runner = submitLater();
        cluster.run();

        assertThat(cluster.node(PRIMARY).sent(PrePrepare.class))
                .anyMatch(prePrepare -> prePrepare.proposal().ends().equals(List.of(runner)));
        assertThat(chainOf(1)).isEmpty();

        cluster.settle(3);

        assertThat(cluster.replica(1).view()).isEqualTo(1);
        assertThat(chainOf(1)).containsExactly(victim, runner);
    }

    @Test
    void shouldNotBlameAPrimaryForReportsThatComeLater() {
        SessionEnd slow = TestCluster.batch(0);
        // What replica 1 alone had first, and reports late to all.
        cluster.link = (from, to, message) -> !names(message, slow);
        cluster.nowNs += 1_000;
        cluster.submit(node -> node == 1);
        SessionEnd taken = submitLater();
        cluster.run();
        cluster.link = (from, to, message) -> true;
        cluster.settle(6);

        assertThat(chainOf(1)).containsExactly(taken, slow);
        assertThat(cluster.replica(1).view()).isZero();
    }

    @Test
    void shouldRelayWhatThePrimaryGoesBy() {
        // Replica 3 speaks to the primary alone, replica 2 is gone: without a relay two replicas lack a third report.
        cluster.crash(2);
        cluster.link = (from, to, message) -> from != 3 || to == PRIMARY || !(message instanceof Arrivals);
        SessionEnd batch = submitLater();
        cluster.run();

        assertThat(chainOf(1)).containsExactly(batch);
    }

    /** Pitfall 15: nothing else may wake a replica for what others have reported until a STATUS period is over. */
    @Test
    void shouldWatchTheClockUntilAReportedBatchIsFetched() {
        TestCluster patient = new TestCluster(
                4, builder -> builder.fairOrder(true).block(8, 0).fetchDelayNs(30 * MS));
        assertThat(patient.replica(PRIMARY).watchesClock()).isFalse();

        patient.nowNs += 1_000;
        patient.submit(node -> node != PRIMARY);
        patient.run();
        assertThat(patient.node(PRIMARY).said(Output.Fetch.class)).isEmpty();
        assertThat(patient.replica(PRIMARY).watchesClock()).isTrue();
        for (int cycle = 0; cycle < 2; cycle++) {
            patient.nowNs += 20 * MS;
            patient.input(PRIMARY, new Input.Heard(1));
        }

        assertThat(patient.node(PRIMARY).said(Output.Fetch.class)).hasSize(1);
    }

    /** A primary with two faces: one replica has accepted what follows a proposal that the others never had. */
    @Test
    void shouldNotJudgeWhatFollowsAProposalThatIsContradicted() {
        cluster.crash(PRIMARY);
        List<SessionEnd> batches = IntStream.rangeClosed(1, 8)
                .mapToObj(number -> new SessionEnd(SessionKey.of(1, 7), number, TestCluster.batchId(1_000 + number)))
                .toList();
        for (int i = 0; i < batches.size(); i++) {
            cluster.nowNs += 1_000;
            Digest before = i == 0 ? Digest.ZERO : batches.get(i - 1).id();
            for (int node = 1; node < 4; node++) {
                cluster.input(node, new Input.BatchAvailable(batches.get(i), before));
            }
        }
        cluster.run();
        Proposal first = proposal(1, Digest.ZERO, batches.get(2));
        Proposal second = proposal(2, first.digest(), batches.get(4));
        Proposal third = proposal(3, second.digest(), batches.get(7));
        List.of(first, second, third).forEach(proposal -> cluster.receive(3, prePrepare(proposal)));

        Proposal agreed = proposal(1, Digest.ZERO, batches.get(6));
        cluster.receive(1, prePrepare(agreed));
        cluster.receive(2, prePrepare(agreed));
        cluster.run();
        for (int node = 1; node < 4; node++) {
            cluster.receive(node, new Commit(0, 1, agreed.digest(), PRIMARY));
        }
        cluster.receive(3, prePrepare(agreed));
        cluster.run();
        assertThat(chainOf(3)).containsExactly(batches.get(6));

        cluster.crash(3);
        cluster.restart(3);
        cluster.input(3, new Input.BatchAvailable(batches.get(7), batches.get(6).id()));
        cluster.settle(1);

        assertThat(cluster.node(3).sent(Prepare.class)).isEmpty();
    }

    private Proposal proposal(long sequence, Digest previous, SessionEnd end) {
        return new Proposal(0, sequence, cluster.nowNs, previous, List.of(end));
    }

    private static PrePrepare prePrepare(Proposal proposal) {
        byte[] signed = PrePrepare.signedBytes(TestCluster.EPOCH, 0, proposal.sequence(), proposal.digest(), PRIMARY);
        return new PrePrepare(
                0,
                proposal.sequence(),
                proposal,
                PRIMARY,
                Signature.of(TestCluster.signerOf(PRIMARY).sign(signed)));
    }

    @Test
    void shouldReportLostArrivalsAgain() {
        cluster.link = (from, to, message) -> !(message instanceof Arrivals);
        SessionEnd batch = submitLater();
        cluster.run();
        assertThat(chainOf(1)).isEmpty();

        cluster.link = (from, to, message) -> true;
        cluster.settle(3);

        assertThat(chainOf(1)).containsExactly(batch);
        assertThat(cluster.replica(1).view()).isZero();
    }

    @Test
    void shouldTellTheNextPrimaryAllArrivals() {
        cluster.crash(PRIMARY);
        SessionEnd first = submitLater();
        SessionEnd second = submitLater();
        cluster.run();
        for (int node = 1; node < 4; node++) {
            cluster.fire(node, Timer.REQUEST);
        }
        cluster.run();
        cluster.settle(2);

        assertThat(cluster.replica(1).view()).isEqualTo(1);
        assertThat(chainOf(2)).containsExactly(first, second);
    }

    @Test
    void shouldFetchABatchThatACorrectReplicaHas() {
        cluster.nowNs += 1_000;
        SessionEnd held = cluster.submit(node -> node == 1 || node == 2);
        cluster.run();
        for (Node node : cluster.nodes) {
            cluster.input(node.id(), new Input.Clock(cluster.nowNs));
        }
        cluster.run();

        assertThat(chainOf(3)).containsExactly(held);
    }

    @Test
    void shouldOrderAgainAfterARestart() {
        SessionEnd first = submitLater();
        cluster.run();
        cluster.crash(3);
        cluster.restart(3);
        SessionEnd second = submitLater();
        cluster.run();
        cluster.settle(2);

        assertThat(chainOf(3)).containsExactly(first, second);
    }

    @Test
    void shouldRememberALimitedNumberOfReportsOfWhatIsNotHere() {
        int before = cluster.replica(1).entryCount();
        for (int number = 1; number <= 2 * ArrivalLog.REPORTED_AHEAD_MAX; number++) {
            Arrival invented =
                    new Arrival(new SessionEnd(SessionKey.of(9, 0), number, TestCluster.batchId(number)), number);
            byte[] signed = Arrivals.signedBytes(TestCluster.EPOCH, List.of(invented), 3);
            Signature signature = Signature.of(TestCluster.signerOf(3).sign(signed));
            cluster.receive(1, new Arrivals(List.of(invented), 3, signature));
        }

        assertThat(cluster.replica(1).entryCount() - before).isLessThan(ArrivalLog.REPORTED_AHEAD_MAX + 8);
    }

    @Test
    void shouldRefuseArrivalsWhereTheOrderIsNotFair() {
        TestCluster plain = new TestCluster(4);
        Arrivals arrivals = cluster.node(1).sent(Arrivals.class).stream()
                .findFirst()
                .orElseGet(() -> {
                    submitLater();
                    cluster.run();
                    return cluster.node(1).sent(Arrivals.class).getFirst();
                });
        plain.receive(PRIMARY, arrivals);

        assertThat(plain.node(PRIMARY).ignored()).containsExactly(IgnoreReason.NOT_NEEDED);
    }
}
