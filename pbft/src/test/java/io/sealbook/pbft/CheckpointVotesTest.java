package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.vocabulary.Digest;
import org.junit.jupiter.api.Test;

/** TOCS 2002, section 4.3: which CHECKPOINTs count (pitfalls 6, 7 and 16). K is 4, L is 16. */
class CheckpointVotesTest {
    private static final Digest OTHER = TestCluster.batchId(500);

    private final TestCluster cluster = new TestCluster(4);

    /** Pitfall 16: a second vote that replaced the first would make two replicas disagree with this one. */
    @Test
    void shouldKeepTheFirstCheckpointOfAReplica() {
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);
        cluster.receive(1, cluster.node(2).sent(Checkpoint.class).getFirst());

        cluster.receive(1, TestCluster.checkpoint(4, OTHER, 2));
        cluster.receive(1, TestCluster.checkpoint(4, OTHER, 3));

        assertThat(cluster.node(1).ignored()).contains(IgnoreReason.CONFLICTING);
        assertThat(cluster.replica(1).state()).isEqualTo(ReplicaState.NORMAL);
    }

    /** The engine of its sender was rebuilt. */
    @Test
    void shouldCountASecondCheckpointThatAgreesWithTheOwnResult() {
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);
        cluster.receive(1, TestCluster.checkpoint(4, OTHER, 2));

        cluster.receive(1, cluster.node(2).sent(Checkpoint.class).getFirst());
        cluster.receive(1, cluster.node(3).sent(Checkpoint.class).getFirst());

        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);
    }

    /** Pitfall 7: results of which none can reach a quorum any more stop the replica. */
    @Test
    void shouldStopWhenNoResultCanBeCertified() {
        cluster.link = (from, to, message) -> !(message instanceof Checkpoint);
        cluster.deliver(4);
        cluster.receive(1, TestCluster.checkpoint(4, OTHER, 2));

        assertThatExceptionOfType(InvariantViolation.class)
                .isThrownBy(() -> cluster.receive(1, TestCluster.checkpoint(4, TestCluster.batchId(501), 3)))
                .withMessageContaining("no result of sequence 4 can be certified");
    }

    /** Pitfall 6: beyond the window a quorum of CHECKPOINTs alone shows a replica that it lags. */
    @Test
    void shouldTransferStateToACheckpointOfAQuorumBeyondItsWindow() {
        for (int sender = 0; sender < 2; sender++) {
            cluster.receive(3, TestCluster.checkpoint(20, OTHER, sender));
        }
        assertThat(cluster.node(3).said(Output.TransferState.class)).isEmpty();

        cluster.receive(3, TestCluster.checkpoint(20, OTHER, 2));

        assertThat(cluster.node(3).said(Output.TransferState.class))
                .extracting(transfer -> transfer.target().sequence())
                .containsExactly(20L);
    }

    /** Of the CHECKPOINTs of a replica beyond the window the highest counts. */
    @Test
    void shouldCountTheHighestCheckpointOfAReplicaBeyondItsWindow() {
        cluster.receive(3, TestCluster.checkpoint(20, OTHER, 0));
        for (int sender = 0; sender < 3; sender++) {
            cluster.receive(3, TestCluster.checkpoint(24, OTHER, sender));
        }

        assertThat(cluster.node(3).said(Output.TransferState.class))
                .extracting(transfer -> transfer.target().sequence())
                .containsExactly(24L);
    }
}
