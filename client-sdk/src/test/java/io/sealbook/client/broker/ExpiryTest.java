package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ExpiredException;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ExpiryTest extends ClusterTest {

    @Test
    void shouldProveThatAnExpiredBatchWasNotExecuted() throws Exception {
        dropEverywhere();
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            awaitSubmissions(1);
            cluster.commit(5);

            assertThat(failureOf(future)).isInstanceOfSatisfying(ExpiredException.class, e -> {
                assertThat(e.outcome()).isEqualTo(ExpiredException.Outcome.NOT_EXECUTED);
                assertThat(e.validUntilBlock()).isEqualTo(5);
                assertThat(e.isRetryable()).isTrue();
            });
            assertThat(client.metrics().expired()).isEqualTo(1);
        }
    }

    @Test
    void shouldNotExpireBeforeTheLastValidBlock() throws Exception {
        dropEverywhere();
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            awaitSubmissions(1);
            cluster.commit(4);
            Facts.await("sent again", () -> client.metrics().resubmitted() > 0);
            assertThat(future).isNotDone();

            cluster.submits(2, TestNode.Submits.ADMITTING);

            assertThat(await(future).blockSequence()).isEqualTo(5);
        }
    }

    @Test
    void shouldNotTakeOneNodesWordThatTheBatchWasNotExecuted() throws Exception {
        cluster.receipts(0, TestNode.Receipts.OMITTED);
        try (BrokerClient client = impatient().validityBlocks(3).connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            awaitSubmissions(1);
            cluster.commit(10);

            assertThat(await(future).blockSequence()).isEqualTo(1);
        }
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenTooFewNodesTell() throws Exception {
        for (int node : new int[] {0, 2, 3}) {
            cluster.receipts(node, TestNode.Receipts.SILENT);
        }
        dropEverywhere();
        try (BrokerClient client = impatient().validityBlocks(3).connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            awaitSubmissions(1);
            cluster.commit(10);

            assertThat(failureOf(future))
                    .isInstanceOfSatisfying(
                            ExpiredException.class,
                            e -> assertThat(e.outcome()).isEqualTo(ExpiredException.Outcome.UNKNOWN));
        }
    }

    @Test
    void shouldSignTheTimeToLive() throws Exception {
        try (BrokerClient client =
                cluster.client().validFor(Duration.ofMillis(1_500)).connect()) {
            await(client.submit(order(1)));
        }
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(2)));
        }

        assertThat(cluster.submissions())
                .extracting(submission -> new BatchView()
                        .wrap(submission.signedBatch().toByteArray())
                        .timeToLive())
                .containsExactly(150, 0);
        for (Duration wrong : new Duration[] {Duration.ZERO, Duration.ofMillis(15), Duration.ofMinutes(11)}) {
            assertThatThrownBy(() -> cluster.client().validFor(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("validFor " + wrong);
        }
    }

    @Test
    void shouldAskAnotherNodeWhenOneSaysExpired() throws Exception {
        cluster.refusing(HOME, RefusalReason.EXPIRED_VALIDITY);
        try (BrokerClient client = impatient().connect()) {
            await(client.submit(order(1)));

            assertThat(cluster.executed()).containsExactly(1L);
            assertThat(client.metrics().refused()).isZero();
        }
    }

    @Test
    void shouldNotLetOneNodeMoveTheValidityWindow() throws Exception {
        cluster.claimsBlock(3, 1L << 40);
        dropEverywhere();
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            awaitSubmissions(1);
            cluster.commit(5);

            assertThat(failureOf(future))
                    .isInstanceOfSatisfying(
                            ExpiredException.class,
                            e -> assertThat(e.validUntilBlock()).isEqualTo(5));
        }
    }

    @Test
    void shouldChooseTheWindowFromTheHighestKnownBlock() throws Exception {
        cluster.commit(100);
        try (BrokerClient client = impatient().validityBlocks(5).connect()) {
            await(client.submit(order(1)));
            cluster.commit(50);
            Facts.await("block 151 is known", () -> client.chainHeight() == 151);
            await(client.submit(order(2)));
            dropEverywhere();
            CompletableFuture<Receipt> future = client.submit(order(3));
            awaitSubmissions(3);
            cluster.commit(20);

            assertThat(failureOf(future))
                    .isInstanceOfSatisfying(
                            ExpiredException.class,
                            e -> assertThat(e.validUntilBlock()).isEqualTo(157));
        }
    }

    private void dropEverywhere() {
        for (int node = 0; node < 4; node++) {
            cluster.submits(node, TestNode.Submits.DROPPING);
        }
    }
}
