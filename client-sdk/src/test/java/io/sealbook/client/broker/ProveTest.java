package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sealbook.client.BatchProof;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.NoProofException;
import io.sealbook.client.cluster.ProofBytes;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.facts.Facts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Proofs come from any node that has one, and no node is believed. */
class ProveTest extends ClusterTest {
    private static final Duration LONG = Duration.ofSeconds(AWAIT_LIMIT_S);

    private final ProofBytes proof = new ProofBytes(cluster.genesis().digest(), TestCluster.CHAIN_ID);

    private byte[] signedBy(Integer... nodes) {
        return proof.file(
                List.of(nodes), List.of(nodes).stream().map(cluster::identity).toList());
    }

    @Test
    void shouldAskFurtherNodesUntilAProofHolds() throws Exception {
        cluster.proof(1, signedBy(0, 1));
        cluster.proof(2, new byte[100]);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<BatchProof> proven = client.prove(proof.receipt(), LONG);
            cluster.awaitProofsAsked(8);
            assertThat(proven).as("two signatures are no quorum").isNotDone();

            cluster.proof(3, signedBy(0, 2, 3));

            BatchProof held = proven.get(AWAIT_LIMIT_S, TimeUnit.SECONDS);
            assertThat(held.signers()).containsExactly(0, 2, 3);
            assertThat(held.file()).isEqualTo(signedBy(0, 2, 3));
        }
    }

    /** The limit is less than the time that a node has at first. */
    @Test
    void shouldAskTheNextNodeWhereTheFirstIsSilent() throws Exception {
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            cluster.proof(node, signedBy(0, 2, 3));
        }
        cluster.proofAfter(0, Duration.ofDays(1));
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.prove(proof.receipt(), Duration.ofSeconds(9))
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .signers())
                    .containsExactly(0, 2, 3);
        }
    }

    /** All later than a node's time at first. */
    @Test
    void shouldWaitForSlowNodes() throws Exception {
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            cluster.proof(node, signedBy(0, 2, 3));
            cluster.proofAfter(node, Duration.ofMillis(250));
        }
        BrokerClientBuilder builder = cluster.client();
        builder.firstProofTimeout = Duration.ofMillis(100);
        try (BrokerClient client = builder.connect()) {
            assertThat(client.prove(proof.receipt(), LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .signers())
                    .containsExactly(0, 2, 3);
        }
    }

    /** The block is certified at block 8, by nodes that were not there at the start and are not there at present. */
    @Test
    void shouldFindOutWhoCertifiedABlockOfTheMeantime() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            for (int block = 1; block <= 7; block++) {
                replace(client, block % TestCluster.NODE_COUNT);
            }
            byte[] ofThen = signedBy(0, 2, 3);
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                replace(client, id);
            }
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.proof(id, ofThen);
            }

            BatchProof held = client.prove(proof.receipt(), LONG).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);

            assertThat(held.signers()).containsExactly(0, 2, 3);
        }
    }

    /** Their keys may be stolen when they are gone. */
    @Test
    void shouldNotCountNodesThatWereGoneBefore() throws Exception {
        byte[] ofFormer = signedBy(0, 2, 3);
        try (BrokerClient client = cluster.client().connect()) {
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                replace(client, id);
            }
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.proof(id, ofFormer);
            }

            CompletableFuture<BatchProof> proven = client.prove(proof.receipt(), LONG);

            cluster.awaitProofsAsked(8);
            assertThat(proven).isNotDone();
        }
    }

    /** Until then the nodes go on to send the proof of the change before, as often as they are asked. */
    @Test
    void shouldWaitForTheCertificateOfTheLastChange() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            replace(client, 0);
            byte[] before = cluster.membershipProof();
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.claimMembershipProof(id, before);
            }
            replace(client, 1);
            cluster.proof(1, signedBy(0, 1, 2));
            CompletableFuture<BatchProof> proven = client.prove(proof.receipt(), LONG);
            Facts.await("more requests than a node that lies gets", () -> proofsAsked() > 24);
            assertThat(proven).isNotDone();

            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.claimMembershipProof(id, null);
            }

            assertThat(proven.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).signers()).containsExactly(0, 1, 2);
        }
    }

    /** Both proofs come later than a node's time at first. */
    @Test
    void shouldWaitForSlowProofsOfTheMembership() throws Exception {
        BrokerClientBuilder builder = cluster.client();
        builder.firstProofTimeout = Duration.ofMillis(100);
        try (BrokerClient client = builder.connect()) {
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.proofAfter(id, Duration.ofMillis(250));
            }
            replace(client, 0);
            for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
                cluster.proof(id, signedBy(0, 2, 3));
            }

            assertThat(client.prove(proof.receipt(), LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .signers())
                    .containsExactly(0, 2, 3);
        }
    }

    private int proofsAsked() {
        return IntStream.range(0, TestCluster.NODE_COUNT)
                .map(cluster::membershipProofsAsked)
                .sum();
    }

    /** The client must know one change before it can find those nodes that make the next one. */
    private void replace(BrokerClient client, int nodeId) throws Exception {
        cluster.replace(nodeId);
        Facts.await("the change", () -> client.terms().getNodesList().equals(cluster.nodes()));
    }

    @Test
    void shouldNameTheAnswersAfterTheLimit() {
        cluster.proof(1, signedBy(0, 1));
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<BatchProof> proven = client.prove(proof.receipt(), Duration.ofSeconds(2));

            ExecutionException failure =
                    catchThrowableOfType(ExecutionException.class, () -> proven.get(AWAIT_LIMIT_S, TimeUnit.SECONDS));
            assertThat(failure.getCause())
                    .isInstanceOf(NoProofException.class)
                    .hasMessageStartingWith("no proof of batch 1 of block 7: {");
        }
    }

    @Test
    void shouldEndWithTheClient() {
        BrokerClient client = cluster.client().connect();
        CompletableFuture<BatchProof> proven = client.prove(proof.receipt(), LONG);

        client.close();

        ExecutionException failure =
                catchThrowableOfType(ExecutionException.class, () -> proven.get(AWAIT_LIMIT_S, TimeUnit.SECONDS));
        assertThat(failure.getCause()).isInstanceOf(ClientClosedException.class);
    }
}
