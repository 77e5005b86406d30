package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When and what a primary proposes. */
class ProposingTest {
    private static TestCluster cluster() {
        return new TestCluster(4, builder -> builder.block(3, 10).windows(4, 4, 16));
    }

    @Test
    void shouldProposeOnlyWhatOneCorrectReplicaBesidesItHolds() {
        TestCluster cluster = cluster();

        cluster.submit(i -> i == 0);
        cluster.run();
        assertThat(cluster.node(0).sent(PrePrepare.class)).isEmpty();

        cluster.available(2, TestCluster.batch(0));
        cluster.run();
        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(1);
    }

    @Test
    void shouldGatherABlockWhileThePipelineIsBusy() {
        TestCluster cluster = cluster();
        cluster.link = (from, to, message) -> !(message instanceof Commit);

        for (int i = 0; i < 6; i++) {
            cluster.submit();
            cluster.run();
        }

        assertThat(cluster.node(0).sent(PrePrepare.class))
                .extracting(prePrepare -> prePrepare.proposal().ends().size())
                .containsExactly(1, 3);
        assertThat(cluster.node(0).isTimerRunning(Timer.BATCH)).isTrue();

        cluster.fire(0, Timer.BATCH);
        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(3);
    }

    @Test
    void shouldKeepNoMoreThanTheWindowInFlight() {
        TestCluster cluster = cluster();
        cluster.link = (from, to, message) -> !(message instanceof Commit);

        for (int i = 0; i < 60; i++) {
            cluster.submit();
        }
        cluster.run();

        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(4);
    }

    @Test
    void shouldAcknowledgeTogetherWhatOneDutyCycleBrought() {
        TestCluster cluster = cluster();
        Replica backup = cluster.replica(2);
        TestCluster.Node node = cluster.node(2);

        for (int i = 0; i < 5; i++) {
            backup.step(new Input.BatchAvailable(TestCluster.batch(i), Digest.ZERO), node.outputs);
        }
        backup.step(new Input.Clock(cluster.nowNs), node.outputs);

        assertThat(node.outputs.stream().filter(Output.Send.class::isInstance))
                .singleElement()
                .satisfies(output -> assertThat(((BatchAck) ((Output.Send) output).message()).ends())
                        .hasSize(5));
    }

    @Test
    void shouldNotDeliverABatchTwice() {
        TestCluster cluster = cluster();
        SessionEnd batch = cluster.submit();
        cluster.run();

        for (int i = 0; i < 4; i++) {
            cluster.available(i, batch);
        }
        cluster.run();

        assertThat(cluster.node(1).delivered).hasSize(1);
        assertThat(cluster.replica(1).pendingCount()).isZero();
    }

    /** One replica holds what no other has: the others could not help it, and it must not replace the primary. */
    @Test
    void shouldDropAWithdrawnSessionAtOnce() {
        TestCluster cluster = cluster();
        SessionEnd alone = TestCluster.batch(99);
        cluster.available(3, alone);

        cluster.input(3, new Input.SessionWithdrawn(alone.sessionKey()));

        assertThat(cluster.node(3).said(Output.Drop.class)).containsExactly(new Output.Drop(List.of(alone)));
        assertThat(cluster.replica(3).pendingCount()).isZero();
        assertThat(cluster.node(3).isTimerRunning(Timer.REQUEST)).isFalse();
    }

    /** A range that the shell has passed is voted for at once when the next proposal names it. */
    @Test
    void shouldKeepTheBeginningOfARangeOfAWithdrawnSession() {
        TestCluster cluster = cluster();
        SessionEnd first = TestCluster.batch(99);
        SessionEnd last = new SessionEnd(first.sessionKey(), 2, TestCluster.batchId(100));
        cluster.available(3, first);
        cluster.input(3, new Input.RangeAvailable(new BatchRange(last, 0, Digest.ZERO)));

        cluster.input(3, new Input.SessionWithdrawn(first.sessionKey()));

        assertThat(cluster.node(3).said(Output.Drop.class)).isEmpty();
        assertThat(cluster.replica(3).namedThrough(first.sessionKey())).isEqualTo(2);
    }

    /** A node that stops must not find it again at its next start, and acknowledge it. */
    @Test
    void shouldDropWhatItVotedForWhenAnotherBlockHasThePlace() {
        TestCluster cluster = cluster();
        SessionEnd one = TestCluster.batch(99);
        cluster.available(0, one);
        cluster.available(1, one);
        cluster.run();
        assertThat(cluster.node(1).sent(Prepare.class)).hasSize(1);
        cluster.nodes.forEach(node -> cluster.input(node.id(), new Input.SessionWithdrawn(one.sessionKey())));
        assertThat(cluster.replica(1).namedThrough(one.sessionKey())).isEqualTo(1);

        cluster.crash(0);
        SessionEnd other = cluster.submit();
        cluster.advance(60_000 * TestCluster.MS);

        assertThat(cluster.node(1).delivered).extracting(Proposal::ends).containsExactly(List.of(other));
        assertThat(cluster.node(1).said(Output.Drop.class)).containsExactly(new Output.Drop(List.of(one)));
        assertThat(cluster.replica(1).held(one.sessionKey())).isZero();
    }

    /** One block is looked at for all sessions, and takes the place of one proposal alone. */
    @Test
    void shouldDropOfEachWithdrawnSessionWhatHasLostItsPlace() {
        TestCluster cluster = cluster();
        List<SessionEnd> voted = List.of(TestCluster.batch(97), TestCluster.batch(98), TestCluster.batch(99));
        for (SessionEnd batch : voted) {
            cluster.available(0, batch);
            cluster.available(1, batch);
        }
        cluster.run();
        cluster.fire(0, Timer.BATCH);
        cluster.run();
        assertThat(cluster.node(0).sent(PrePrepare.class))
                .extracting(prePrepare -> prePrepare.proposal().ends())
                .containsExactly(List.of(voted.get(0)), voted.subList(1, 3));
        for (TestCluster.Node node : cluster.nodes) {
            voted.forEach(batch -> cluster.input(node.id(), new Input.SessionWithdrawn(batch.sessionKey())));
        }
        List<Long> sessions = voted.stream().map(SessionEnd::sessionKey).toList();
        assertThat(cluster.replica(1).namedThrough(sessions).values()).containsExactly(1L, 1L, 1L);

        cluster.crash(0);
        cluster.submit();
        cluster.advance(60_000 * TestCluster.MS);
        assertThat(cluster.node(1).delivered).hasSize(1);
        assertThat(cluster.node(1).said(Output.Drop.class)).containsExactly(new Output.Drop(List.of(voted.getFirst())));

        cluster.submit();
        cluster.advance(60_000 * TestCluster.MS);
        assertThat(cluster.node(1).delivered).hasSize(2);
        assertThat(cluster.node(1).said(Output.Drop.class))
                .extracting(Output.Drop::batches)
                .containsExactlyInAnyOrder(List.of(voted.get(0)), List.of(voted.get(1)), List.of(voted.get(2)));
    }

    /** A peer may answer long after the proposal has lost its place. The acknowledgement would promise the batch. */
    @Test
    void shouldNotTakeABatchOfAWithdrawnSessionWhoseProposalIsGone() {
        TestCluster cluster = cluster();
        SessionEnd one = TestCluster.batch(99);
        cluster.available(0, one);
        cluster.available(1, one);
        cluster.run();
        cluster.nodes.forEach(node -> cluster.input(node.id(), new Input.SessionWithdrawn(one.sessionKey())));
        assertThat(cluster.replica(2).namedThrough(one.sessionKey())).isEqualTo(1);
        cluster.crash(0);
        cluster.submit();
        cluster.advance(60_000 * TestCluster.MS);
        assertThat(cluster.node(2).delivered).hasSize(1);

        cluster.available(2, one);

        assertThat(cluster.replica(2).held(one.sessionKey())).isZero();
    }

    /** An acknowledgement promises the batch. */
    @Test
    void shouldNotAcknowledgeWhatItDroppedInTheSameCycle() {
        Replica backup = cluster().replica(1);
        SessionEnd alone = TestCluster.batch(99);
        List<Output> outputs = new ArrayList<>();

        backup.step(new Input.BatchAvailable(alone, Digest.ZERO), outputs);
        backup.step(new Input.SessionWithdrawn(alone.sessionKey()), outputs);
        backup.step(new Input.Clock(TestCluster.MS), outputs);

        assertThat(outputs).contains(new Output.Drop(List.of(alone)));
        assertThat(outputs)
                .noneMatch(output -> output instanceof Output.Send send && send.message() instanceof BatchAck);
    }

    /** The evidence may have been lost on its way to the replica that waits; it is not worth more than its frames. */
    @Test
    void shouldShowOnceAPeriodWhyASessionIsWithdrawn() {
        TestCluster cluster = cluster();
        SessionEnd one = TestCluster.batch(98);
        SessionEnd other = TestCluster.batch(99);
        SessionEnd sound = TestCluster.batch(97);
        cluster.input(0, new Input.SessionWithdrawn(one.sessionKey()));
        cluster.input(0, new Input.SessionWithdrawn(other.sessionKey()));

        for (int i = 0; i < 3; i++) {
            cluster.receive(0, new BatchAck(List.of(sound, one, other), 3));
        }
        cluster.receive(0, new BatchAck(List.of(sound), 2));
        assertThat(cluster.node(0).said(Output.ShowEvidence.class)).hasSize(1);

        for (int period = 0; period < 3; period++) {
            cluster.fire(0, Timer.STATUS);
            cluster.receive(0, new BatchAck(List.of(sound, one, other), 3));
        }

        assertThat(cluster.node(0).said(Output.ShowEvidence.class))
                .as("one session after the other")
                .hasSize(4)
                .contains(new Output.ShowEvidence(3, one.sessionKey()), new Output.ShowEvidence(3, other.sessionKey()));
    }

    @Test
    void shouldDeliverABatchOfAWithdrawnSessionThatAProposalNames() {
        TestCluster cluster = cluster();
        SessionEnd named = cluster.submit();
        cluster.input(1, new Input.SessionWithdrawn(named.sessionKey()));
        cluster.run();
        cluster.input(0, new Input.SessionWithdrawn(named.sessionKey()));

        assertThat(cluster.node(0).delivered).hasSize(1);
        assertThat(cluster.replica(0).pendingCount()).isZero();
    }

    /** A session has room for 1,024 batches; what does not follow the last one that is held is not taken. */
    @Test
    void shouldHoldNoMoreOfASessionThanItsRing() {
        TestCluster cluster = cluster();
        Replica backup = cluster.replica(1);
        List<Output> outputs = new ArrayList<>();
        Digest previous = Digest.ZERO;
        for (int number = 1; number <= SessionLine.AHEAD_MAX + 1; number++) {
            SessionEnd end = new SessionEnd(SessionKey.of(3, 0), number, TestCluster.batchId(number));
            backup.step(new Input.BatchAvailable(end, previous), outputs);
            previous = end.id();
        }

        assertThat(backup.pendingCount()).isEqualTo(SessionLine.AHEAD_MAX);
        assertThat(backup.held(SessionKey.of(3, 0))).isEqualTo(SessionLine.AHEAD_MAX);
    }

    private static TestCluster awaitingResults() {
        return new TestCluster(
                4,
                builder -> builder.block(3, 10)
                        .windows(1, 1, 2)
                        .proposesAfter(ReplicaConfig.ProposesAfter.CERTIFIED_RESULT));
    }

    @Test
    void shouldProposeTheNextBlockAfterTheResultOfTheLastIsCertified() {
        TestCluster cluster = awaitingResults();
        cluster.nodes.forEach(node -> node.isExecuting = false);
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.run();
        assertThat(cluster.node(0).delivered).hasSize(1);
        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(1);

        executeOne(cluster, 1);
        executeOne(cluster, 2);
        assertThat(cluster.node(0).sent(PrePrepare.class))
                .as("two of four results are no quorum")
                .hasSize(1);

        executeOne(cluster, 3);
        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(2);
        assertThat(cluster.replica(0).lowWatermark()).isEqualTo(1);
        assertThat(cluster.replica(0).lastDelivered()).isEqualTo(2);
    }

    /** Executes what is delivered now, and nothing that is delivered because of it. */
    private static void executeOne(TestCluster cluster, int node) {
        cluster.node(node).isExecuting = true;
        cluster.execute(cluster.node(node));
        cluster.node(node).isExecuting = false;
        cluster.run();
    }

    @Test
    void shouldDeliverEveryBatchOneResultAtATime() {
        TestCluster cluster = awaitingResults();

        for (int i = 0; i < 20; i++) {
            cluster.submit();
        }
        cluster.advance(1_000 * TestCluster.MS);

        for (int i = 0; i < 4; i++) {
            assertThat(cluster.node(i).delivered.stream()
                            .mapToInt(proposal -> proposal.ends().size())
                            .sum())
                    .isEqualTo(20);
            assertThat(cluster.replica(i).lowWatermark())
                    .isEqualTo(cluster.replica(i).lastDelivered());
            assertThat(cluster.replica(i).view()).isZero();
        }
    }

    @Test
    void shouldNotBlameAPrimaryThatAwaitsTheResultOfASlowEngine() {
        TestCluster cluster = awaitingResults();
        cluster.nodes.forEach(node -> node.isExecuting = false);
        cluster.submit();
        cluster.run();
        cluster.submit();

        cluster.advance(60_000 * TestCluster.MS);

        cluster.nodes.forEach(node -> assertThat(node.replica.view()).isZero());
        cluster.nodes.forEach(node -> node.isExecuting = true);
        cluster.nodes.forEach(cluster::execute);
        cluster.advance(1_000 * TestCluster.MS);
        cluster.nodes.forEach(node -> assertThat(node.replica.lowWatermark()).isEqualTo(2));
    }

    @Test
    void shouldGoOnAfterTheResultsOfABlockWereLost() {
        TestCluster cluster = awaitingResults();
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.run();
        assertThat(cluster.node(0).delivered).hasSize(1);

        cluster.link = (from, to, message) -> true;
        cluster.settle(3);

        cluster.nodes.forEach(node -> assertThat(node.replica.lowWatermark()).isEqualTo(2));
    }

    @Test
    void shouldRefuseAPipelineThatEndsBeforeTheResultItAwaits() {
        assertThatThrownBy(() -> new TestCluster(
                        4,
                        builder ->
                                builder.windows(3, 4, 16).proposesAfter(ReplicaConfig.ProposesAfter.CERTIFIED_RESULT)))
                .hasMessage("pipelineWindow 3 is below checkpointInterval 4, whose certificate it awaits");
    }
}
