package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.DoubleVote;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.PreparedCertificate;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which statements of one replica are evidence against it, and which are not. Replica 1 is the witness. */
class WitnessTest {
    private static final Digest ONE = TestCluster.batchId(901);
    private static final Digest OTHER = TestCluster.batchId(902);

    private final TestCluster cluster = new TestCluster(4);

    @Test
    void shouldProveTwoPreparesForOneBlockAndPassBothOn() {
        Prepare one = prepare(0, 3, ONE, 2);
        Prepare other = prepare(0, 3, OTHER, 2);

        receive(one, other);

        assertThat(found()).singleElement().satisfies(vote -> {
            assertThat(vote.replica()).isEqualTo(2);
            assertThat(vote.subject()).isEqualTo("vote in view 0 for block 3");
            assertThat(vote.first()).isEqualTo(one.signedBytes(TestCluster.EPOCH));
            assertThat(vote.second()).isEqualTo(other.signedBytes(TestCluster.EPOCH));
            assertThat(isSigned(vote)).isTrue();
        });
        assertThat(cluster.node(1).said(Output.DoubleVoted.class).getFirst().messages())
                .containsExactly(one, other);
    }

    @Test
    void shouldLetEveryReplicaFindWhatOneOfThemFound() {
        receive(prepare(0, 3, ONE, 2), prepare(0, 3, OTHER, 2));
        cluster.run();

        for (int witness : new int[] {0, 1, 3}) {
            assertThat(cluster.node(witness).said(Output.DoubleVoted.class))
                    .as("found by %d", witness)
                    .hasSize(1);
        }
        assertThat(cluster.node(2).said(Output.DoubleVoted.class)).isEmpty();
    }

    @Test
    void shouldTakeEachReplicaToTaskOnce() {
        receive(prepare(0, 3, ONE, 2), prepare(0, 3, OTHER, 2), prepare(0, 4, ONE, 2), prepare(0, 4, OTHER, 2));
        receive(prepare(0, 3, ONE, 3), prepare(0, 3, OTHER, 3));

        assertThat(found()).extracting(DoubleVote::replica).containsExactly(2, 3);
    }

    @Test
    void shouldProveNothingByVotesThatACorrectReplicaGives() {
        receive(
                prepare(0, 3, ONE, 2),
                prepare(0, 3, ONE, 2),
                prepare(0, 4, OTHER, 2),
                prepare(1, 3, OTHER, 2),
                prepare(0, 3, OTHER, 3));

        assertThat(found()).isEmpty();
    }

    @Test
    void shouldKeepAsManyVotesAsTheWindowHolds() {
        long high = cluster.replica(1).highWatermark();
        receive(prepare(0, high + 1, ONE, 2), prepare(0, high + 1, OTHER, 2));
        receive(prepare(1L << 40, 3, ONE, 2), prepare(1L << 40, 3, OTHER, 2));
        assertThat(found()).isEmpty();

        receive(prepare(0, high, ONE, 2), prepare(0, high, OTHER, 2));
        assertThat(found()).hasSize(1);
    }

    @Test
    void shouldProveTwoProposalsOfAPrimary() {
        PrePrepare one = prePrepare(0, 1, 1);
        PrePrepare other = prePrepare(0, 1, 2);

        receive(one, other);

        assertThat(found()).singleElement().satisfies(vote -> {
            assertThat(vote.replica()).isZero();
            assertThat(isSigned(vote)).isTrue();
        });
        assertThat(cluster.node(1).said(Output.DoubleVoted.class).getFirst().messages())
                .as("the first is here no more, because it named a batch that is missing")
                .contains(other);
    }

    @Test
    void shouldProveAProposalAndAPrepareOfAnother() {
        receive(prePrepare(0, 1, 1), prepare(0, 1, ONE, 0));

        assertThat(found())
                .singleElement()
                .satisfies(vote -> assertThat(isSigned(vote)).isTrue());
    }

    /** The two halves of a cluster that a primary lied to see each other's proposals in certificates alone. */
    @Test
    void shouldFindVotesWithinCertificates() {
        PrePrepare other = prePrepare(0, 1, 2);
        Prepare ofThree = prepare(0, 1, other.digest(), 3);
        receive(prePrepare(0, 1, 1), prepare(0, 1, ONE, 3));

        receive(viewChange(
                2,
                new PreparedCertificate(
                        other,
                        List.of(
                                new ReplicaSignature(
                                        2, prepare(0, 1, other.digest(), 2).signature()),
                                new ReplicaSignature(3, ofThree.signature())))));

        assertThat(found()).extracting(DoubleVote::replica).containsExactly(0, 3);
        assertThat(found()).allMatch(WitnessTest::isSigned);
    }

    @Test
    void shouldProveCheckpointsOfTwoChains() {
        receive(checkpoint(4, ONE, ONE, 2), checkpoint(4, ONE, OTHER, 2));

        assertThat(found()).singleElement().satisfies(vote -> {
            assertThat(vote.subject()).isEqualTo("CHECKPOINT for block 4");
            assertThat(isSigned(vote)).isTrue();
        });
    }

    /** Decision 69: an engine that was wrong is rebuilt, and its node signs again. */
    @Test
    void shouldProveNothingByTwoResultsOfOneBlock() {
        receive(checkpoint(4, ONE, ONE, 2), checkpoint(4, OTHER, ONE, 2), checkpoint(8, OTHER, OTHER, 2));

        assertThat(found()).isEmpty();
    }

    @Test
    void shouldProveTwoNewViewsOfOneView() {
        receive(newView(1, 0), newView(1, 1));
        assertThat(found()).as("of replica 1 itself").isEmpty();

        receive(newView(2, 0), newView(2, 0));
        assertThat(found()).as("one repeated").isEmpty();

        receive(newView(2, 1));
        assertThat(found()).singleElement().satisfies(vote -> {
            assertThat(vote.replica()).isEqualTo(2);
            assertThat(vote.subject()).isEqualTo("NEW-VIEW in view 2");
            assertThat(isSigned(vote)).isTrue();
        });
    }

    /** A checkpoint that became stable between them, or a restart, is enough for that. */
    @Test
    void shouldProveNothingByTwoViewChangesOfOneView() {
        PrePrepare first = prePrepare(0, 1, 1);
        List<ReplicaSignature> prepares = List.of(
                new ReplicaSignature(2, prepare(0, 1, first.digest(), 2).signature()),
                new ReplicaSignature(3, prepare(0, 1, first.digest(), 3).signature()));

        receive(viewChange(3), viewChange(3, new PreparedCertificate(first, prepares)));

        assertThat(found()).isEmpty();
    }

    @Test
    void shouldForgetWhatIsStable() {
        int before = cluster.replica(1).entryCount();
        cluster.deliver(16);
        cluster.settle(2);

        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(16);
        assertThat(cluster.replica(1).entryCount()).isLessThan(before + 24);
        assertThat(cluster.nodes)
                .allMatch(node -> node.said(Output.DoubleVoted.class).isEmpty());
    }

    private void receive(Message... messages) {
        for (Message message : messages) {
            assertThat(TestCluster.isGenuine(message)).isTrue();
            cluster.receive(1, message);
        }
    }

    private List<DoubleVote> found() {
        return cluster.node(1).said(Output.DoubleVoted.class).stream()
                .map(Output.DoubleVoted::evidence)
                .toList();
    }

    private static boolean isSigned(DoubleVote vote) {
        return Stream.of(true, false).allMatch(isFirst -> {
            byte[] statement = isFirst ? vote.first() : vote.second();
            Signature signature = isFirst ? vote.firstSignature() : vote.secondSignature();
            return Arrays.equals(TestCluster.signerOf(vote.replica()).sign(statement), signature.bytes());
        });
    }

    private static Signature sign(int sender, byte[] bytes) {
        return Signature.of(TestCluster.signerOf(sender).sign(bytes));
    }

    private static Prepare prepare(long view, long sequence, Digest digest, int sender) {
        byte[] bytes = Prepare.signedBytes(TestCluster.EPOCH, view, sequence, digest, sender);
        return new Prepare(view, sequence, digest, sender, sign(sender, bytes));
    }

    private PrePrepare prePrepare(long view, long sequence, int batch) {
        Proposal proposal = new Proposal(view, sequence, cluster.nowNs, Digest.ZERO, List.of(TestCluster.batch(batch)));
        int primary = (int) (view % 4);
        byte[] bytes = PrePrepare.signedBytes(TestCluster.EPOCH, view, sequence, proposal.digest(), primary);
        return new PrePrepare(view, sequence, proposal, primary, sign(primary, bytes));
    }

    private static Checkpoint checkpoint(long sequence, Digest result, Digest proposal, int sender) {
        byte[] bytes = Checkpoint.signedBytes(TestCluster.CHAIN_ID, sequence, ONE, result, proposal);
        return new Checkpoint(sequence, ONE, result, proposal, sender, sign(sender, bytes));
    }

    private static ViewChange viewChange(int sender, PreparedCertificate... prepared) {
        List<PreparedCertificate> shown = List.of(prepared);
        byte[] bytes = ViewChange.signedBytes(TestCluster.EPOCH, 1, StableCertificate.GENESIS, shown, sender);
        return new ViewChange(1, StableCertificate.GENESIS, shown, sender, sign(sender, bytes));
    }

    private NewView newView(long view, int proposals) {
        int primary = (int) (view % 4);
        List<PrePrepare> fixed = proposals == 0 ? List.of() : List.of(prePrepare(view, 1, 1));
        byte[] bytes = NewView.signedBytes(TestCluster.EPOCH, view, List.of(), fixed, primary);
        return new NewView(view, List.of(), fixed, primary, sign(primary, bytes));
    }
}
