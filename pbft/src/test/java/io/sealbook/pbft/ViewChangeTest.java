package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.TestCluster.Node;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TOCS 2002, section 4.4 and 4.5: liveness by changing views, safety by prepared certificates. */
class ViewChangeTest {
    private final TestCluster cluster = new TestCluster(4);

    private static void suspect(TestCluster cluster, int... replicas) {
        for (int replica : replicas) {
            cluster.fire(replica, Timer.REQUEST);
        }
        cluster.run();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10})
    void shouldReplaceADeadPrimaryAndDeliverWhatItIgnored(int replicaCount) {
        TestCluster cluster = new TestCluster(replicaCount);
        cluster.submit();
        cluster.run();
        cluster.crash(0);
        cluster.submit();
        cluster.run();

        for (int i = 1; i < replicaCount; i++) {
            cluster.fire(i, Timer.REQUEST);
        }
        cluster.run();

        for (Node node : cluster.nodes.subList(1, replicaCount)) {
            assertThat(node.replica.view()).isEqualTo(1);
            assertThat(node.replica.isViewActive()).isTrue();
            assertThat(node.delivered).hasSize(2).isEqualTo(cluster.node(1).delivered);
        }
    }

    /** Section 4.4: what may have committed anywhere keeps its sequence number, digest and content. */
    @Test
    void shouldKeepPreparedProposalsAcrossAViewChange() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        Digest prepared = cluster.node(1).sent(Prepare.class).getFirst().digest();
        cluster.crash(0);
        cluster.link = (from, to, message) -> true;

        suspect(cluster, 1, 2, 3);

        for (int i = 1; i < 4; i++) {
            assertThat(cluster.node(i).delivered).extracting(Proposal::digest).containsExactly(prepared);
            assertThat(cluster.node(i).delivered.getFirst().view()).isZero();
        }
    }

    /** Rule 3: no replica holds a certificate above a sequence number that it has not prepared. */
    @Test
    void shouldPrepareInSequenceOrder() {
        cluster.link = (from, to, message) ->
                !(message instanceof Commit) && !(message instanceof Prepare prepare && prepare.sequence() == 1);
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.run();
        cluster.fire(0, Timer.BATCH);
        cluster.run();
        assertThat(cluster.node(2).sent(Prepare.class))
                .as("it votes ahead")
                .extracting(Prepare::sequence)
                .containsExactly(1L, 2L);
        assertThat(cluster.node(2).sent(Commit.class)).isEmpty();
        cluster.crash(0);
        cluster.link = (from, to, message) -> true;

        suspect(cluster, 1, 2, 3);

        List<Proposal> delivered = cluster.node(3).delivered;
        assertThat(delivered).isNotEmpty().isEqualTo(cluster.node(1).delivered);
        assertThat(delivered).as("nothing was prepared").allMatch(proposal -> proposal.view() == 1);
        assertThat(delivered.stream()
                        .mapToInt(proposal -> proposal.ends().size())
                        .sum())
                .as("each batch once")
                .isEqualTo(2);
        assertThat(cluster.replica(3).pendingCount()).isZero();
    }

    /** Rule 7: f+1 suspicions end a view, one does not (pitfall 5). */
    @Test
    void shouldEndAViewThatOneCorrectReplicaSurelySuspects() {
        cluster.submit();
        cluster.link = (from, to, message) -> message instanceof Suspicion || message instanceof ViewChange;
        cluster.fire(2, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 0);

        cluster.fire(3, Timer.REQUEST);
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1);
    }

    /** Section 4.5.2: the VIEW-CHANGEs of f+1 others are enough as well. */
    @Test
    void shouldJoinWhenOneCorrectReplicaSurelyLeftTheView() {
        cluster.receive(1, viewChange(1, 2));
        assertThat(cluster.replica(1).view()).isZero();

        cluster.receive(1, viewChange(1, 3));

        assertThat(cluster.replica(1).view()).isEqualTo(1);
    }

    @Test
    void shouldNotFollowOneReplicaToAHighView() {
        cluster.receive(1, viewChange(1_000_000, 2));
        cluster.receive(1, TestCluster.suspicion(1_000_000, 2));
        cluster.receive(1, viewChange(1, 3));

        assertThat(cluster.replica(1).view())
                .as("the smallest view that f+1 have reached")
                .isEqualTo(1);
    }

    private static ViewChange viewChange(long newView, int sender) {
        return new ViewChange(
                newView,
                StableCertificate.GENESIS,
                List.of(),
                sender,
                Signature.of(TestCluster.signerOf(sender)
                        .sign(ViewChange.signedBytes(
                                TestCluster.EPOCH, newView, StableCertificate.GENESIS, List.of(), sender))));
    }

    /**
     * Section 4.5.1: the timer for the new view starts when a quorum asks for it, doubles, and is capped (pitfall 5).
     */
    @Test
    void shouldWaitTwiceAsLongForEachFurtherView() {
        cluster.submit(i -> i != 0);
        cluster.link = (from, to, message) -> message instanceof Suspicion || message instanceof ViewChange;
        cluster.fire(1, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.node(1).isTimerRunning(Timer.VIEW_CHANGE)).isFalse();
        suspect(cluster, 2, 3);
        assertThat(cluster.node(3).isTimerRunning(Timer.VIEW_CHANGE)).isTrue();

        for (int view = 1; view < 6; view++) {
            for (int i = 1; i < 4; i++) {
                cluster.fire(i, Timer.VIEW_CHANGE);
            }
            cluster.run();
        }

        assertThat(cluster.node(3).said(Output.StartTimer.class).stream()
                        .filter(start -> start.timer() == Timer.VIEW_CHANGE)
                        .map(start -> start.delayNs() / TestCluster.MS))
                .as("in view 1, suspected; in view 2, suspected; in the later ones")
                .startsWith(2_000L, 2_000L, 4_000L, 4_000L, 8_000L, 8_000L, 8_000L);
    }

    @Test
    void shouldStartFromTheShortTimeoutAgainAfterProgress() {
        cluster.crash(0);
        cluster.submit();
        suspect(cluster, 1, 2, 3);
        cluster.submit();
        cluster.node(2).said.clear();

        cluster.submit();

        assertThat(cluster.node(3).said(Output.StartTimer.class))
                .filteredOn(start -> start.timer() == Timer.REQUEST)
                .last()
                .isEqualTo(new Output.StartTimer(Timer.REQUEST, 2_000 * TestCluster.MS));
    }

    /** Pitfall 5: the request timer is restarted by delivery in order, by no message. */
    @Test
    void shouldNotRestartTheRequestTimerForMessages() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.settle(2);

        assertThat(cluster.node(2).said(Output.StartTimer.class))
                .filteredOn(start -> start.timer() == Timer.REQUEST)
                .hasSize(1);
    }

    /** Pitfall 11: every backup computes the proposals again; what does not follow ends the view before it began. */
    @Test
    void shouldRefuseANewViewThatHidesAPreparedProposal() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        List<NewView> captured = new ArrayList<>();
        cluster.link = (from, to, message) -> {
            if (message instanceof NewView newView) {
                captured.add(newView);
                return false;
            }
            return true;
        };
        suspect(cluster, 1, 2, 3);
        NewView genuine = captured.getFirst();
        assertThat(genuine.prePrepares()).hasSize(1);
        byte[] signedBytes = NewView.signedBytes(TestCluster.EPOCH, 1, genuine.viewChanges(), List.of(), 1);

        cluster.receive(
                2,
                new NewView(
                        1,
                        genuine.viewChanges(),
                        List.of(),
                        1,
                        Signature.of(TestCluster.signerOf(1).sign(signedBytes))));

        assertThat(cluster.node(2).ignored()).contains(IgnoreReason.WRONG_NEW_VIEW);
        assertThat(cluster.replica(2).isViewActive()).isFalse();
        assertThat(cluster.node(2).sent(Suspicion.class).getLast().view()).isEqualTo(1);
        cluster.receive(2, TestCluster.suspicion(1, 3));
        assertThat(cluster.replica(2).view()).isEqualTo(2);
    }

    @Test
    void shouldRefuseANewViewWithoutAQuorumOfViewChanges() {
        List<NewView> captured = new ArrayList<>();
        cluster.link = (from, to, message) -> !(message instanceof NewView newView && captured.add(newView));
        cluster.submit(i -> i != 0);
        suspect(cluster, 2, 3);
        NewView genuine = captured.getFirst();
        List<ViewChange> few = genuine.viewChanges().subList(0, 2);
        byte[] signedBytes = NewView.signedBytes(TestCluster.EPOCH, 1, few, genuine.prePrepares(), 1);

        cluster.receive(
                3,
                new NewView(
                        1,
                        few,
                        genuine.prePrepares(),
                        1,
                        Signature.of(TestCluster.signerOf(1).sign(signedBytes))));

        assertThat(cluster.node(3).ignored()).contains(IgnoreReason.MALFORMED);
    }

    /**
     * Pitfall 1: what is shown to others is signed by those who said it, and every nested signature is named to the
     * shell.
     */
    @Test
    void shouldShowOnlyTransferableProofsInAViewChange() {
        cluster.link = (from, to, message) -> !(message instanceof Commit);
        cluster.submit();
        cluster.run();
        suspect(cluster, 1, 2);

        ViewChange viewChange = cluster.node(1).sent(ViewChange.class).getLast();
        List<Integer> signers = new ArrayList<>();
        viewChange.forEachSignature(TestCluster.EPOCH, (replica, bytes, signature) -> signers.add(replica));
        assertThat(signers)
                .as("its own, the primary's, two backups'")
                .hasSize(4)
                .startsWith(1, 0);
        assertThat(TestCluster.isGenuine(viewChange)).isTrue();
        boolean[] isGenuine = {true};
        viewChange.forEachSignature(
                Epoch.first(TestCluster.CHAIN_ID + 1),
                (replica, bytes, signature) -> isGenuine[0] &=
                        java.util.Arrays.equals(TestCluster.signerOf(replica).sign(bytes), signature));
        assertThat(isGenuine[0])
                .as("pitfall 8: nothing signed for one chain counts on another")
                .isFalse();
    }

    /** Pitfall 10: a suspicion binds nobody, so that the next fault still finds a quorum. */
    @Test
    void shouldVoteOnWhileItAloneSuspects() {
        cluster.submit();
        suspect(cluster, 3);
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.NORMAL);
        cluster.crash(2);

        cluster.submit();
        cluster.run();

        assertThat(cluster.replica(0).view()).isZero();
        assertThat(cluster.node(0).delivered).hasSize(2);
        assertThat(cluster.node(3).delivered).isEqualTo(cluster.node(0).delivered);
    }

    /** Pitfall 10: it shows why it left, so that the others leave, too, although their view serves them. */
    @ParameterizedTest
    @ValueSource(ints = {4, 7, 10})
    void shouldTakeTheOthersAlongWhenItLeft(int replicaCount) {
        TestCluster cluster = new TestCluster(replicaCount);
        leaveAlone(cluster, replicaCount - 1);

        deliverUnderLoad(cluster, 2);

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1 && node.replica.isViewActive());
    }

    /** The signatures for which a replica left its view are in its log. */
    @Test
    void shouldTakeTheOthersAlongAfterARestart() {
        leaveAlone(cluster, 3);
        cluster.crash(3);
        cluster.restart(3);
        cluster.run();

        deliverUnderLoad(cluster, 2);

        assertThat(cluster.nodes).allMatch(node -> node.replica.view() == 1 && node.replica.isViewActive());
    }

    private static void leaveAlone(TestCluster cluster, int leaver) {
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.leaveAlone(leaver);
        cluster.run();
        assertThat(cluster.replica(leaver).state()).isEqualTo(ReplicaState.VIEW_CHANGE);
        assertThat(cluster.replica(0).view()).isZero();
    }

    /** Everybody delivers between any two STATUS messages of everybody. */
    private static void deliverUnderLoad(TestCluster cluster, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (Node node : cluster.nodes) {
                cluster.submit();
                cluster.run();
                cluster.fire(node.id(), Timer.STATUS);
                cluster.run();
            }
        }
    }

    /** A replica that missed the NEW-VIEW delivers what the others commit, but its votes are of no use. */
    @Test
    void shouldGiveTheNewViewToAReplicaThatGoesOnDelivering() {
        cluster.submit();
        cluster.run();
        cluster.link = (from, to, message) -> to != 3
                || !(message instanceof Suspicion || message instanceof ViewChange || message instanceof NewView);
        cluster.submit();
        suspect(cluster, 1, 2);
        cluster.submit();
        cluster.run();
        assertThat(cluster.replica(0).view()).isEqualTo(1);
        assertThat(cluster.replica(3).view()).isZero();
        assertThat(cluster.node(3).delivered).isEqualTo(cluster.node(0).delivered);
        cluster.link = (from, to, message) -> true;

        deliverUnderLoad(cluster, 3);

        assertThat(cluster.replica(3).view()).isEqualTo(1);
        assertThat(cluster.replica(3).isViewActive()).isTrue();
    }

    @Test
    void shouldGiveTheNewViewToAReplicaThatMissedIt() {
        cluster.link = (from, to, message) -> to != 3;
        cluster.submit();
        suspect(cluster, 1, 2);
        cluster.fire(0, Timer.REQUEST);
        cluster.run();
        assertThat(cluster.replica(2).view()).isEqualTo(1);
        assertThat(cluster.replica(3).view()).isZero();

        cluster.link = (from, to, message) -> true;
        cluster.settle(3);

        assertThat(cluster.replica(3).view()).isEqualTo(1);
        assertThat(cluster.replica(3).isViewActive()).isTrue();
    }

    @Test
    void shouldSendAgainWhatALaggardLacksInTheView() {
        cluster.link = (from, to, message) -> to != 3;
        cluster.submit();
        cluster.run();
        cluster.submit();
        cluster.run();
        assertThat(cluster.node(3).delivered).isEmpty();

        cluster.link = (from, to, message) -> true;
        cluster.settle(2);

        assertThat(cluster.node(3).delivered)
                .isEqualTo(cluster.node(0).delivered)
                .hasSize(2);
    }

    @Test
    void shouldRepeatNothingInAQuietCluster() {
        for (int i = 0; i < 8; i++) {
            cluster.submit();
            cluster.run();
        }
        cluster.settle(2);
        cluster.nodes.forEach(node -> node.said.clear());

        cluster.settle(3);

        for (Node node : cluster.nodes) {
            assertThat(node.sent(Message.class)).hasOnlyElementsOfType(io.sealbook.pbft.message.Status.class);
        }
    }

    @Test
    void shouldKeepVotesThatComeBeforeTheNewView() {
        cluster.submit(i -> i != 0);
        List<NewView> late = new ArrayList<>();
        cluster.link = (from, to, message) -> !(to == 3 && message instanceof NewView newView && late.add(newView));
        cluster.crash(0);
        suspect(cluster, 1, 2, 3);
        assertThat(cluster.replica(3).isViewActive()).isFalse();
        cluster.node(3).said.clear();

        cluster.receive(3, late.getFirst());

        assertThat(cluster.node(3).sent(Prepare.class)).hasSize(1);
        assertThat(cluster.node(3).sent(PrePrepare.class)).isEmpty();
        assertThat(cluster.node(3).sent(Commit.class)).hasSize(1);
    }
}
