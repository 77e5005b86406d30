package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The core checks the archive that its shell gives it against the certificates that it holds: one wrong byte in a chain
 * hash stops the replica instead of making it vote on a chain that a quorum never signed. K is 4.
 */
class DoorTest {
    private static final Digest WRONG = TestCluster.batchId(4_711);

    private final TestCluster cluster = new TestCluster(4);

    @BeforeEach
    void deliverUpToACheckpoint() {
        for (int i = 0; i < 6; i++) {
            cluster.submit();
            cluster.run();
        }
        assertThat(cluster.replica(1).lowWatermark()).isEqualTo(4);
    }

    private Replica restored(long lastDelivered, LongFunction<Digest> chainHashes) {
        Replica replica = new Replica(cluster.node(1).config, TestCluster.signerOf(1));
        replica.restore(cluster.node(1).records, lastDelivered, chainHashes, List.of());
        return replica;
    }

    private Digest chainHash(long sequence) {
        return TestCluster.chainHash(cluster.node(0).delivered.get((int) sequence - 1));
    }

    @Test
    void shouldRestoreFromAnArchiveThatTheCertificateProves() {
        assertThat(restored(4, this::chainHash).state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(restored(6, this::chainHash).lastDelivered()).isEqualTo(6);
    }

    @Test
    void shouldRefuseAnArchiveThatEndsWithAnotherBlockThanTheCertificate() {
        assertThatThrownBy(() -> restored(4, sequence -> WRONG))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("block 4")
                .hasMessageContaining(WRONG.toString())
                .hasMessageContaining(chainHash(4).toString())
                .hasMessageContaining("replica 1");
    }

    @Test
    void shouldRefuseAnArchiveThatLeftTheChainBelowItsEnd() {
        assertThatThrownBy(() -> restored(6, sequence -> sequence == 4 ? WRONG : chainHash(sequence)))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining(WRONG.toString());
    }

    @Test
    void shouldNotAskForABlockThatTheArchiveLacks() {
        List<Long> asked = new ArrayList<>();

        Replica replica = restored(3, sequence -> {
            asked.add(sequence);
            return WRONG;
        });

        assertThat(asked).isEmpty();
        assertThat(replica.state()).isEqualTo(ReplicaState.TRANSFERRING);
    }

    @Test
    void shouldNotAskForTheGenesis() {
        Replica replica = new Replica(cluster.node(1).config, TestCluster.signerOf(1));

        replica.restore(List.of(), 2, sequence -> WRONG, List.of());

        assertThat(replica.lastDelivered()).isEqualTo(2);
    }

    private Replica transferring() {
        Replica replica = restored(2, this::chainHash);
        replica.start(new ArrayList<>());
        assertThat(replica.state()).isEqualTo(ReplicaState.TRANSFERRING);
        return replica;
    }

    private static void transferred(Replica replica, long sequence, Digest chainHash, StableCertificate certificate) {
        replica.step(new Input.StateTransferred(sequence, chainHash, certificate), new ArrayList<>());
    }

    @Test
    void shouldGoOnWithTheStateThatTheCertificateProves() {
        Replica replica = transferring();

        transferred(replica, 4, chainHash(4), replica.stableCertificate());

        assertThat(replica.state()).isEqualTo(ReplicaState.NORMAL);
        assertThat(replica.lastDelivered()).isEqualTo(4);
    }

    @Test
    void shouldRefuseTransferredStateWithAnotherChainHash() {
        Replica replica = transferring();

        assertThatThrownBy(() -> transferred(replica, 4, WRONG, replica.stableCertificate()))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("block 4")
                .hasMessageContaining(WRONG.toString())
                .hasMessageContaining(chainHash(4).toString());
        assertThat(replica.lastDelivered()).isEqualTo(2);
        assertThat(replica.state()).isEqualTo(ReplicaState.TRANSFERRING);
    }

    @Test
    void shouldRefuseTransferredStateThatDoesNotEndAtItsCertificate() {
        Replica replica = transferring();

        for (long sequence : new long[] {3, 5}) {
            assertThatThrownBy(() -> transferred(replica, sequence, chainHash(4), replica.stableCertificate()))
                    .isInstanceOf(InvariantViolation.class)
                    .hasMessageContaining("block " + sequence)
                    .hasMessageContaining("block 4");
        }
    }

    @Test
    void shouldRefuseTransferredStateWithoutAProof() {
        Replica replica = transferring();
        StableCertificate whole = replica.stableCertificate();
        StableCertificate part = new StableCertificate(
                4,
                whole.chainHash(),
                whole.resultDigest(),
                whole.proposalDigest(),
                whole.signatures().subList(0, 2));

        assertThatThrownBy(() -> transferred(replica, 4, chainHash(4), part))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining("proves nothing");
    }

    @Test
    void shouldRefuseTransferredStateThatContradictsTheStableCheckpoint() {
        Replica replica = transferring();
        StableCertificate stable = replica.stableCertificate();
        StableCertificate otherChain =
                new StableCertificate(4, WRONG, stable.resultDigest(), stable.proposalDigest(), stable.signatures());
        StableCertificate otherResult =
                new StableCertificate(4, stable.chainHash(), WRONG, stable.proposalDigest(), stable.signatures());

        assertThatThrownBy(() -> transferred(replica, 4, WRONG, otherChain))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining(WRONG.toString())
                .hasMessageContaining(stable.chainHash().toString());
        assertThatThrownBy(() -> transferred(replica, 4, stable.chainHash(), otherResult))
                .isInstanceOf(InvariantViolation.class)
                .hasMessageContaining(WRONG.toString())
                .hasMessageContaining(stable.resultDigest().toString());
    }
}
