package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.CheckpointProof;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.ReplicaSignature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** TOCS 2002, section 4.3: checkpoints, watermarks, truncation, divergence (pitfalls 6 and 7). K is 4, L is 16. */
class CheckpointTest {
    private final TestCluster cluster = new TestCluster(4);

    @Test
    void shouldMakeACheckpointEveryKBlocksOnceExecuted() {
        cluster.node(2).isExecuting = false;
        cluster.deliver(4);
        assertThat(cluster.node(2).sent(Checkpoint.class)).isEmpty();
        assertThat(cluster.replica(2).lowWatermark()).isEqualTo(4);

        cluster.deliver(4);
        cluster.node(2).isExecuting = true;
        cluster.execute(cluster.node(2));
        assertThat(cluster.node(2).said(Output.StableCheckpoint.class)).hasSize(2);
        assertThat(cluster.node(2).said(Output.Isolated.class)).isEmpty();
    }

    @Test
    void shouldProveAStableCheckpointWithAQuorumOfSignatures() {
        cluster.deliver(4);

        StableCertificate certificate = cluster.replica(3).stableCertificate();
        assertThat(certificate.sequence()).isEqualTo(4);
        assertThat(certificate.resultDigest()).isEqualTo(cluster.node(0).result);
        assertThat(certificate.signatures())
                .extracting(ReplicaSignature::replica)
                .hasSize(3)
                .isSorted();
        assertThat(TestCluster.isGenuine(new CheckpointProof(certificate, 3))).isTrue();
    }

    /** K is 4: the blocks are no multiple of it, and no further one comes. */
    @Test
    void shouldCertifyTheLastBlockOfAQuietChain() {
        cluster.deliver(6);
        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);

        cluster.nodes.forEach(node -> quiet(node.id()));
        cluster.run();

        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 6);
        cluster.deliver(3);
        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(8);
        assertThat(cluster.node(1).delivered).hasSize(9);
    }

    @Test
    void shouldSendLostCheckpointsOfAQuietChainAgain() {
        cluster.deliver(5);
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.nodes.forEach(node -> quiet(node.id()));
        cluster.run();
        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);

        cluster.link = (from, to, message) -> true;
        cluster.settle(2);

        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 5);
    }

    /** A block has come since the shell looked. */
    @Test
    void shouldSignOnlyTheLastBlockAsThatOfAQuietChain() {
        cluster.deliver(6);
        cluster.node(1).said.clear();

        Proposal before = cluster.node(1).delivered.get(4);
        cluster.input(1, new Input.Quiet(5, TestCluster.chainHash(before), cluster.node(1).result));
        assertThat(cluster.node(1).sent(Checkpoint.class)).isEmpty();

        quiet(1);
        quiet(1);
        assertThat(cluster.node(1).sent(Checkpoint.class)).hasSize(1);
    }

    /** The others certified a block of a quiet chain before the own engine had executed it. */
    @Test
    void shouldCompareItsResultWithTheCertificateOfAQuietChain() {
        cluster.deliver(5);
        cluster.node(3).isExecuting = false;
        cluster.deliver(1);
        List.of(0, 1, 2).forEach(this::quiet);
        cluster.run();
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(6);

        Proposal last = cluster.node(3).delivered.getLast();
        cluster.input(3, new Input.Executed(6, TestCluster.chainHash(last), TestCluster.batchId(9)));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
    }

    /** The same, but its engine's result came before the certificate. */
    @Test
    void shouldCompareItsResultWithALaterCertificateOfAQuietChain() {
        cluster.deliver(6);
        List.of(0, 1, 2).forEach(this::quiet);
        cluster.run();

        Proposal last = cluster.node(3).delivered.getLast();
        cluster.input(3, new Input.Quiet(6, TestCluster.chainHash(last), TestCluster.batchId(9)));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
    }

    /** The others certified quiet blocks whose results the own engine had reached before: they do not come again. */
    @Test
    void shouldForgetCertificatesOfQuietBlocksThatTheEngineHasPassed() {
        for (int quiets = 0; quiets < 3; quiets++) {
            cluster.deliver(2);
            List.of(0, 1, 2).forEach(this::quiet);
            cluster.run();
            cluster.deliver(2);
        }

        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(12);
        assertThat(cluster.replica(3).entryCount()).isEqualTo(cluster.replica(1).entryCount());
    }

    private void quiet(int replica) {
        Proposal last = cluster.node(replica).delivered.getLast();
        cluster.input(
                replica, new Input.Quiet(last.sequence(), TestCluster.chainHash(last), cluster.node(replica).result));
    }

    @Test
    void shouldTruncateTheLogAndAdvanceBothWatermarks() {
        cluster.deliver(4);

        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);
        assertThat(cluster.replica(1).highWatermark()).isEqualTo(20);
        int held = cluster.replica(1).entryCount();
        cluster.deliver(4);
        // Only the memory of delivered batch ids has grown.
        assertThat(cluster.replica(1).entryCount()).isEqualTo(held + 4);
    }

    @Test
    void shouldStopProposingAtTheHighWatermarkAndGoOnWhenACheckpointBecomesStable() {
        cluster.nodes.forEach(node -> node.isExecuting = false);
        cluster.deliver(20);
        assertThat(cluster.node(0).delivered).hasSize(16);
        assertThat(cluster.node(3).isTimerRunning(Timer.REQUEST))
                .as("a slow engine is no fault of the primary")
                .isFalse();

        cluster.nodes.forEach(node -> node.isExecuting = true);
        cluster.nodes.forEach(cluster::execute);
        cluster.run();

        assertThat(cluster.node(3).delivered.stream()
                        .mapToInt(p -> p.ends().size())
                        .sum())
                .isEqualTo(20);
    }

    /** Pitfall 6: a full window whose checkpoint others do not reach is wedged. */
    @Test
    void shouldSuspectThePrimaryOfAWedgedWindow() {
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(20);

        assertThat(cluster.node(3).delivered).hasSize(16);
        assertThat(cluster.node(3).isTimerRunning(Timer.REQUEST)).isTrue();
    }

    @Test
    void shouldSendLostCheckpointsAgain() {
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);
        assertThat(cluster.replica(1).lowWatermark()).isZero();

        cluster.link = (from, to, message) -> true;
        cluster.settle(2);

        assertThat(cluster.nodes).allMatch(node -> node.replica.lowWatermark() == 4);
    }

    /** Pitfall 7. */
    @Test
    void shouldIsolateItselfWhenOneCorrectReplicaSurelyDisagrees() {
        Digest agreed = TestCluster.batchId(500);
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);

        cluster.receive(1, TestCluster.checkpoint(4, agreed, 2));
        assertThat(cluster.replica(1).state()).isEqualTo(ReplicaState.NORMAL);
        cluster.receive(1, TestCluster.checkpoint(4, agreed, 3));

        assertThat(cluster.replica(1).state()).isEqualTo(ReplicaState.ISOLATED);
        assertThat(cluster.node(1).said(Output.Isolated.class))
                .containsExactly(new Output.Isolated(
                        4,
                        new Outcome(
                                TestCluster.chainHash(cluster.node(1).delivered.get(3)), cluster.node(1).result),
                        new Outcome(TestCluster.batchId(1_000), agreed)));
        cluster.node(1).said.clear();
        cluster.deliver(1);
        assertThat(cluster.node(1).sent(Prepare.class)).isEmpty();
        assertThat(cluster.node(1).delivered).as("the chain is not in doubt").hasSize(5);
    }

    @Test
    void shouldIsolateItselfWhenItsEngineReachesACertifiedSequenceWithAnotherResult() {
        cluster.node(3).isExecuting = false;
        cluster.deliver(4);
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(4);

        cluster.input(
                3,
                new Input.Executed(
                        4, TestCluster.chainHash(cluster.node(0).delivered.get(3)), TestCluster.batchId(9)));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
    }

    /** The engine agrees, the archive does not: the report carries both chain hashes. */
    @Test
    void shouldIsolateItselfWhenItsArchiveHoldsAnotherBlock() {
        cluster.node(3).isExecuting = false;
        cluster.deliver(4);
        StableCertificate certificate = cluster.replica(3).stableCertificate();
        Digest otherBlock = TestCluster.batchId(9);

        cluster.input(3, new Input.Executed(4, otherBlock, certificate.resultDigest()));

        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.ISOLATED);
        Output.Isolated isolated = cluster.node(3).said(Output.Isolated.class).getFirst();
        assertThat(isolated.own()).isEqualTo(new Outcome(otherBlock, certificate.resultDigest()));
        assertThat(isolated.agreed()).isEqualTo(certificate.outcome());
        assertThat(isolated.toString())
                .contains(otherBlock.toString(), certificate.chainHash().toString());
    }

    @Test
    void shouldTransferStateWhenItIsBeyondRepairByMessages() {
        cluster.crash(3);
        cluster.deliver(8);
        cluster.node(3).isUp = true;

        cluster.settle(4);

        List<Output.TransferState> transfers = cluster.node(3).said(Output.TransferState.class);
        assertThat(transfers).hasSize(1);
        assertThat(transfers.getFirst().target().sequence()).isEqualTo(8);
        assertThat(cluster.replica(3).state()).isEqualTo(ReplicaState.TRANSFERRING);
    }

    @Test
    void shouldGoOnInTheLiveWindowAfterStateTransfer() {
        cluster.crash(3);
        cluster.deliver(10);
        cluster.node(3).isUp = true;
        cluster.settle(4);

        transfer(3);
        cluster.settle(3);

        assertThat(cluster.replica(3).lastDelivered()).isEqualTo(10);
        assertThat(cluster.replica(3).pendingCount()).isZero();
        cluster.node(3).said.clear();
        cluster.deliver(1);
        assertThat(cluster.node(3).sent(Prepare.class)).hasSize(1);
        assertThat(cluster.node(3).delivered).isEqualTo(cluster.node(0).delivered);
    }

    private void transfer(int to) {
        StableCertificate target =
                cluster.node(to).said(Output.TransferState.class).getLast().target();
        for (long next = cluster.replica(to).lastDelivered() + 1; next <= target.sequence(); next++) {
            Proposal block = cluster.node(0).delivered.get((int) next - 1);
            cluster.node(to).delivered.add(block);
            cluster.input(to, new Input.BlockTransferred(next, block.digest(), block.ends()));
        }
        cluster.input(to, new Input.StateTransferred(target.sequence(), target.chainHash(), target));
    }

    @Test
    void shouldNotTransferWhatIsMerelyOnItsWay() {
        cluster.link = (from, to, message) -> to != 3 || message instanceof Checkpoint;
        cluster.deliver(4);
        assertThat(cluster.node(3).said(Output.TransferState.class)).isEmpty();

        cluster.link = (from, to, message) -> true;
        for (PrePrepare prePrepare : cluster.node(0).sent(PrePrepare.class)) {
            cluster.receive(3, prePrepare);
        }
        for (int from : new int[] {0, 1, 2}) {
            cluster.node(from)
                    .sent(io.sealbook.pbft.message.Commit.class)
                    .forEach(commit -> cluster.receive(3, commit));
        }

        assertThat(cluster.replica(3).lastDelivered()).isEqualTo(4);
        assertThat(cluster.replica(3).lowWatermark()).isEqualTo(4);
        assertThat(cluster.node(3).said(Output.TransferState.class)).isEmpty();
    }

    @Test
    void shouldRefuseACertificateWithoutAQuorum() {
        cluster.deliver(4);
        StableCertificate whole = cluster.replica(0).stableCertificate();
        StableCertificate part = new StableCertificate(
                8,
                whole.chainHash(),
                whole.resultDigest(),
                whole.proposalDigest(),
                whole.signatures().subList(0, 2));
        StableCertificate doubled = new StableCertificate(
                8,
                whole.chainHash(),
                whole.resultDigest(),
                whole.proposalDigest(),
                List.of(
                        whole.signatures().get(0),
                        whole.signatures().get(0),
                        whole.signatures().get(1)));

        cluster.receive(1, new CheckpointProof(part, 2));
        cluster.receive(1, new CheckpointProof(doubled, 2));

        assertThat(cluster.node(1).ignored()).contains(IgnoreReason.MALFORMED, IgnoreReason.MALFORMED);
        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);
    }
}
