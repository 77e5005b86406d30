package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Status;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A replica whose engine differs from a quorum says so, votes no more, and remembers it (pitfall 7). K is 4. */
class IsolationTest {
    private static final Digest WRONG = TestCluster.batchId(77_777);

    private final TestCluster cluster = new TestCluster(4);

    private Digest chainHash(int sequence) {
        return TestCluster.chainHash(cluster.node(0).delivered.get(sequence - 1));
    }

    /** Lets the engine of the replica come to another result at block 4, which is stable. */
    private void isolate(int replica) {
        cluster.node(replica).isExecuting = false;
        cluster.deliver(4);
        cluster.input(replica, new Input.Executed(4, chainHash(4), WRONG));
        assertThat(cluster.replica(replica).state()).isEqualTo(ReplicaState.ISOLATED);
    }

    private void restart(int replica) {
        cluster.crash(replica);
        cluster.restart(replica);
    }

    private List<Message> votesOf(int replica) {
        return cluster.node(replica).sent(Message.class).stream()
                .filter(message -> !(message instanceof Status))
                .toList();
    }

    @Test
    void shouldRememberItsIsolationBeforeItSaysSo() {
        isolate(3);

        List<Output> said = cluster.node(3).said;
        Outcome own = new Outcome(chainHash(4), WRONG);
        Outcome agreed = cluster.replica(3).stableCertificate().outcome();
        int persisted = said.indexOf(new Output.Persist(new ReplicaRecord.Isolated(4, own, agreed)));
        assertThat(persisted).isBetween(0, said.indexOf(new Output.Isolated(4, own, agreed)) - 1);
    }

    @Test
    void shouldStayIsolatedOverARestart() {
        isolate(3);
        restart(3);

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(4);
        assertThat(cluster.node(3).said(Output.Isolated.class)).hasSize(1);

        cluster.deliver(5);

        assertThat(votesOf(3)).isEmpty();
        assertThat(cluster.node(3).delivered)
                .as("the chain is not in doubt")
                .isEqualTo(cluster.node(0).delivered)
                .hasSize(9);
    }

    @Test
    void shouldProposeNothingAsAnIsolatedPrimaryAfterARestart() {
        isolate(0);
        restart(0);

        cluster.submit();
        cluster.advance(1_000 * TestCluster.MS);

        assertThat(cluster.node(0).sent(PrePrepare.class)).isEmpty();
    }

    @Test
    void shouldNotRepeatItsViewChangeWhileIsolated() {
        // It waits for a batch that it alone knows.
        cluster.link = (from, to, message) -> from != 3 || !(message instanceof BatchAck);
        cluster.submit(i -> i == 3);
        cluster.node(3).isExecuting = false;
        cluster.deliver(4);
        cluster.leaveAlone(3);
        cluster.input(3, new Input.Executed(4, chainHash(4), WRONG));
        restart(3);

        cluster.settle(10);

        assertThat(cluster.replica(3).isViewActive()).isFalse();
        assertThat(cluster.node(3).sent(ViewChange.class)).isEmpty();
    }

    @Test
    void shouldNotVoteAgainForACertificateThatDoesNotLieAboveTheIsolation() {
        isolate(3);
        StableCertificate same = cluster.replica(3).stableCertificate();

        cluster.input(3, new Input.StateTransferred(4, same.chainHash(), same));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(4);
    }

    @Test
    void shouldVoteAgainAfterAStateTransferToACertificateAbove() {
        isolate(3);
        cluster.deliver(4);
        StableCertificate above = cluster.replica(3).stableCertificate();
        assertThat(above.sequence()).isEqualTo(8);

        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));
        cluster.node(3).said.clear();
        cluster.deliver(1);

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.replica(3).isolatedAt()).isZero();
        assertThat(cluster.node(3).sent(Prepare.class)).hasSize(1);
        assertThat(cluster.node(3).records).contains(new ReplicaRecord.IsolationEnded(8));
    }

    @Test
    void shouldRememberThatItsIsolationIsOver() {
        isolate(3);
        cluster.deliver(4);
        StableCertificate above = cluster.replica(3).stableCertificate();
        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));

        restart(3);

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).said(Output.Isolated.class)).isEmpty();
    }

    /** The archive was right, the engine was not: it is compared again before it signs a checkpoint. */
    @Test
    void shouldBeIsolatedAgainWhenTheEngineIsStillWrong() {
        isolate(3);
        cluster.deliver(4);
        StableCertificate above = cluster.replica(3).stableCertificate();
        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));

        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(8);
        assertThat(cluster.node(3).sent(Checkpoint.class)).isEmpty();
        restart(3);
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(8);
    }

    /** The engine was found wrong at this certificate before: the word of the shell that it is rebuilt is checked. */
    @Test
    void shouldCompareAgainAtTheCertificateThatEndedTheIsolation() {
        isolate(3);
        cluster.deliver(4);
        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));
        StableCertificate above = cluster.replica(3).stableCertificate();
        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);

        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));

        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(8);
    }

    /** What the wrong engine reached is neither signed nor shown once the state is rebuilt. */
    @Test
    void shouldForgetWhatTheWrongEngineReached() {
        cluster.node(3).isExecuting = false;
        cluster.link = (from, to, message) -> !(to == 3 && message instanceof Checkpoint);
        cluster.deliver(12);
        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));
        cluster.input(3, new Input.Executed(12, chainHash(12), WRONG));
        receiveCheckpoints(4);
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(4);
        cluster.input(3, new Input.Executed(4, chainHash(4), WRONG));
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(4);
        StableCertificate above = certificate(8);
        cluster.node(3).said.clear();

        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));
        cluster.link = (from, to, message) -> to != 3;
        cluster.fire(0, Timer.STATUS);
        cluster.receive(3, new Status(0, true, 8, 12, 0));
        cluster.receive(3, new Status(0, true, 8, 12, 0));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).sent(Checkpoint.class)).isEmpty();
    }

    private void receiveCheckpoints(long sequence) {
        for (int from = 0; from < 3; from++) {
            cluster.node(from).sent(Checkpoint.class).stream()
                    .filter(checkpoint -> checkpoint.sequence() == sequence)
                    .forEach(checkpoint -> cluster.receive(3, checkpoint));
        }
    }

    private StableCertificate certificate(long sequence) {
        return cluster.node(0).said(Output.StableCheckpoint.class).stream()
                .map(Output.StableCheckpoint::certificate)
                .filter(certificate -> certificate.sequence() == sequence)
                .findFirst()
                .orElseThrow();
    }

    /** A rebuilt engine that reaches what a certificate above the isolation proves is right again. */
    @Test
    void shouldVoteAgainWhenItsRebuiltEngineReachesACertificate() {
        isolate(3);
        cluster.deliver(6);
        Outcome agreed = cluster.replica(3).stableCertificate().outcome();

        cluster.input(3, new Input.Executed(8, agreed.chainHash(), agreed.resultDigest()));
        cluster.node(3).said.clear();
        cluster.deliver(1);

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).sent(Prepare.class)).hasSize(1);
        assertThat(cluster.node(3).records).contains(new ReplicaRecord.IsolationEnded(8));
    }

    @Test
    void shouldVoteAgainWhenTheCertificateComesAfterTheRebuiltEngine() {
        isolate(3);
        cluster.link = (from, to, message) -> !(to == 3 && message instanceof Checkpoint);
        cluster.deliver(4);
        Outcome agreed = cluster.replica(0).stableCertificate().outcome();
        cluster.input(3, new Input.Executed(8, agreed.chainHash(), agreed.resultDigest()));
        assertThat(cluster.replica(3).state()).as("nothing proves it yet").isEqualTo(ReplicaState.ISOLATED);

        cluster.link = (from, to, message) -> true;
        cluster.settle(3);

        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(8);
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
    }

    /** What the engine reached while the replica was isolated is signed when the isolation is over. */
    @Test
    void shouldSignWhatTheRebuiltEngineReachedAboveTheCertificate() {
        isolate(3);
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(8);
        List<Checkpoint> certified = cluster.node(0).sent(Checkpoint.class).stream()
                .filter(checkpoint -> checkpoint.sequence() > 4)
                .toList();
        assertThat(certified).extracting(Checkpoint::sequence).containsExactly(8L, 12L);
        for (Checkpoint checkpoint : certified) {
            cluster.input(
                    3, new Input.Executed(checkpoint.sequence(), checkpoint.chainHash(), checkpoint.resultDigest()));
        }
        assertThat(cluster.node(3).sent(Checkpoint.class)).isEmpty();

        for (int from = 0; from < 3; from++) {
            cluster.receive(3, cluster.node(from).sent(Checkpoint.class).get(1));
        }

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).sent(Checkpoint.class))
                .extracting(Checkpoint::sequence, Checkpoint::resultDigest)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        12L, certified.get(1).resultDigest()));
    }

    @Test
    void shouldBelieveItsEngineAtTheIsolationAndNotBelow() {
        cluster.deliver(4);
        StableCertificate old = certificate(4);
        cluster.node(3).isExecuting = false;
        cluster.deliver(4);
        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));
        StableCertificate stable = cluster.replica(3).stableCertificate();
        restart(3);

        cluster.input(3, new Input.Executed(4, old.chainHash(), old.resultDigest(), Optional.of(old)));
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(8);
        cluster.input(3, new Input.Executed(8, stable.chainHash(), stable.resultDigest()));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).records).contains(new ReplicaRecord.IsolationEnded(8));
    }

    /** The engine goes back: what it reached above, before it was rebuilt, is not signed. */
    @Test
    void shouldNotSignWhatTheEngineReachedBeforeItWasRebuilt() {
        isolate(3);
        StableCertificate stable = cluster.replica(3).stableCertificate();
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);
        cluster.input(3, new Input.Executed(8, chainHash(8), WRONG));
        cluster.node(3).said.clear();

        cluster.input(3, new Input.Executed(4, stable.chainHash(), stable.resultDigest(), Optional.of(stable)));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(cluster.node(3).sent(Checkpoint.class)).isEmpty();
    }

    /** All are isolated: half of the engines were wrong. One after another is rebuilt, without any restart. */
    @Test
    void shouldGoOnWhenTheEnginesOfAQuorumAgreeAgain() {
        cluster.nodes.forEach(node -> node.isExecuting = false);
        cluster.deliver(4);
        Digest right = TestCluster.batchId(88_888);
        for (int replica = 0; replica < 4; replica++) {
            cluster.input(replica, new Input.Executed(4, chainHash(4), replica < 2 ? right : WRONG));
        }
        cluster.run();
        assertThat(cluster.nodes).allMatch(node -> node.replica.isolatedAt() == 4);
        restart(1);

        cluster.input(1, new Input.Executed(4, chainHash(4), right));
        cluster.input(2, new Input.Executed(4, chainHash(4), right));
        cluster.settle(2);
        assertThat(cluster.replica(0).lowWatermark()).isEqualTo(4);
        Optional<StableCertificate> certified = Optional.of(cluster.replica(0).stableCertificate());
        cluster.input(3, new Input.Executed(4, chainHash(4), right, certified));
        cluster.settle(1);

        assertThat(cluster.nodes).allMatch(node -> node.replica.state() == ReplicaState.NORMAL);
        cluster.deliver(1);
        assertThat(cluster.nodes).allMatch(node -> node.delivered.size() == 5);
    }

    @Test
    void shouldChangeViewsAgainWhenItsIsolationEndsBetweenViews() {
        cluster.submit(i -> i == 3);
        cluster.node(3).isExecuting = false;
        cluster.link = (from, to, message) -> !(message instanceof BatchAck);
        cluster.leaveAlone(3);
        cluster.link = (from, to, message) -> true;
        cluster.deliver(4);
        cluster.input(3, new Input.Executed(4, chainHash(4), WRONG));
        restart(3);
        assertThat(cluster.replica(3).isViewActive()).isFalse();
        cluster.deliver(4);
        StableCertificate above = cluster.replica(3).stableCertificate();

        cluster.input(3, new Input.StateTransferred(8, above.chainHash(), above));
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.VIEW_CHANGE);
        assertThat(cluster.node(3).sent(ViewChange.class)).hasSize(1);

        cluster.link = (from, to, message) -> !(message instanceof PrePrepare);
        cluster.submit();
        cluster.fire(1, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1);
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
    }

    @Test
    void shouldBeginTheViewAsItsPrimaryWhenItsIsolationEnds() {
        cluster.link = (from, to, message) -> !(message instanceof ViewChange);
        cluster.submit(i -> i == 1);
        cluster.node(1).isExecuting = false;
        cluster.leaveAlone(1);
        cluster.link = (from, to, message) -> true;
        cluster.deliver(4);
        cluster.input(1, new Input.Executed(4, chainHash(4), WRONG));
        restart(1);
        cluster.deliver(4);
        StableCertificate above = cluster.replica(1).stableCertificate();
        cluster.submit(i -> i > 1);
        cluster.link = (from, to, message) -> !(message instanceof PrePrepare);
        cluster.fire(2, Timer.REQUEST);
        cluster.fire(3, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.replica(1).view()).isEqualTo(1);

        cluster.input(1, new Input.StateTransferred(8, above.chainHash(), above));
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1 && node.replica.isViewActive());
    }

    /** A wrong result that was not compared before the crash is compared after it. */
    /** Blocks 4 and 8 are stable; the engine begins again with block 1, and is wrong at the first checkpoint. */
    @Test
    void shouldCompareWhatIsExecutedAgainWithTheCertificatesThatItHolds() {
        cluster.deliver(4);
        StableCertificate old = certificate(4);
        cluster.deliver(4);
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(8);

        cluster.input(3, new Input.Executed(4, chainHash(4), old.resultDigest(), Optional.of(old)));
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        cluster.input(3, new Input.Executed(4, chainHash(4), WRONG, Optional.of(old)));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
        assertThat(cluster.replica(3).isolatedAt()).isEqualTo(4);
    }

    @Test
    void shouldCompareTheResultOfTheRestoredStableCheckpoint() {
        cluster.node(3).isExecuting = false;
        cluster.deliver(4);
        restart(3);
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);

        cluster.input(3, new Input.Executed(4, chainHash(4), WRONG));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
    }
}
