package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.InvalidOrderException;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.SubmitRejectedException;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.protocol.sbe.RejectReason;
import io.sealbook.protocol.sbe.Side;
import io.sealbook.protocol.v1.RefusalReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SubmitTest extends ClusterTest {

    @Test
    void shouldCompleteWithReceiptThatNodesAgreeOn() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            Receipt receipt = await(client.submit(order(7)));

            assertThat(receipt.blockSequence()).isEqualTo(1);
            assertThat(receipt.batchIndex()).isZero();
            assertThat(receipt.agreeingNodes()).isEqualTo(2);
            assertThat(cluster.executed()).containsExactly(7L);
            assertThat(client.inFlight()).isZero();
        }
    }

    @Test
    void shouldCommitBatchesInTheOrderOfSubmission() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= 500; id++) {
                receipts.add(client.submit(order(id)));
            }
            awaitAll(receipts);

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, 500));
            assertThat(cluster.submissions())
                    .allSatisfy(each -> assertThat(each.nodeId()).isEqualTo(HOME));
            assertThat(client.metrics().resubmitted()).isZero();
        }
    }

    @Test
    void shouldPutOrdersThatComeTogetherIntoOneBatch() throws Exception {
        try (BrokerClient client = cluster.client()
                .batchSizeMax(10)
                .batchDelay(Duration.ofSeconds(20))
                .connect()) {
            CompletableFuture<Receipt> first = client.submit(order(1));
            for (long id = 2; id <= 9; id++) {
                client.submit(order(id));
            }
            CompletableFuture<Receipt> last = client.submit(order(10));

            assertThat(await(last)).isEqualTo(await(first));
            assertThat(cluster.submissions()).hasSize(1);
            assertThat(client.metrics().submittedBatches()).isEqualTo(1);
            assertThat(client.metrics().committedOrders()).isEqualTo(10);
        }
    }

    @Test
    void shouldSendAnUnfilledBatchAfterItsDelay() throws Exception {
        try (BrokerClient client = cluster.client()
                .batchSizeMax(10)
                .batchDelay(Duration.ofMillis(5))
                .connect()) {
            await(client.submit(order(1)));
            await(client.submit(order(2)));

            assertThat(cluster.executed()).containsExactly(1L, 2L);
        }
    }

    @Test
    void shouldKeepAGivenBatchTogetherBehindTheOpenOne() throws Exception {
        try (BrokerClient client = cluster.client()
                .batchSizeMax(10)
                .batchDelay(Duration.ofSeconds(20))
                .connect()) {
            CompletableFuture<Receipt> open = client.submit(order(1));
            CompletableFuture<Receipt> given = client.submit(
                    LongStream.range(2, 27).mapToObj(ClusterTest::order).toList());

            await(given);
            await(open);
            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, 26));
            assertThat(cluster.submissions()).hasSize(2);
        }
    }

    @Test
    void shouldSignCancelAndReplaceLikeNewOrders() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(List.of(
                    order(1),
                    Order.replace(2, 1, 1, 1, Side.BUY, 101, 20),
                    Order.cancel(3, 2, 1, 1, Side.BUY),
                    Order.market(4, 1, 1, Side.SELL, 5))));

            assertThat(cluster.executed()).containsExactly(1L, 2L, 3L, 4L);
        }
    }

    @Test
    void shouldRefuseLocallyWhatNodesWouldRefuse() {
        try (BrokerClient client = cluster.client().connect()) {
            List<Order> orders = List.of(order(1), Order.limit(2, 1, 99, Side.BUY, 100, 10));

            assertThatThrownBy(() -> client.submit(orders)).isInstanceOfSatisfying(InvalidOrderException.class, e -> {
                assertThat(e.orderIndex()).isEqualTo(1);
                assertThat(e.reason()).isEqualTo(RejectReason.UNKNOWN_INSTRUMENT);
                assertThat(e.isRetryable()).isFalse();
            });
            assertThat(client.inFlight()).isZero();
            assertThat(cluster.submissions()).isEmpty();
        }
    }

    @Test
    void shouldTellWhoRefusedAndWhy() {
        cluster.refusing(RefusalReason.BAD_SIGNATURE);
        try (BrokerClient client = cluster.client().connect()) {
            Throwable failure = failureOf(client.submit(order(1)));

            assertThat(failure).isInstanceOfSatisfying(SubmitRejectedException.class, e -> {
                assertThat(e.reason()).isEqualTo(RefusalReason.BAD_SIGNATURE);
                assertThat(e.nodeId()).as("the last of f+1").isNotEqualTo(HOME);
                assertThat(e.detail()).isEqualTo("scripted");
                assertThat(e.isRetryable()).isFalse();
            });
            assertThat(client.metrics().refused()).isEqualTo(1);
            assertThat(client.inFlight()).isZero();
        }
    }

    @Test
    void shouldTryAnotherNodeWhenOneRefuses() throws Exception {
        cluster.refusing(HOME, RefusalReason.BAD_SIGNATURE);
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
            await(client.submit(order(2)));

            assertThat(client.metrics().refused()).isZero();
        }
    }

    /** No correct node expects what it was just sent. */
    @Test
    void shouldLeaveANodeThatExpectsOneNumberAgainAndAgain() throws Exception {
        cluster.submits(HOME, TestNode.Submits.FORGETTING);
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
            awaitAll(LongStream.rangeClosed(2, 20)
                    .mapToObj(id -> client.submit(order(id)))
                    .toList());

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, 20));
        }
    }

    /** They are at the nodes, and in a block sooner or later. */
    @Test
    void shouldKeepTheBatchesBeforeARefusedOne() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<Receipt> before = client.submit(order(1));
            awaitSubmissions(1);
            cluster.refusing(RefusalReason.UNKNOWN_INSTRUMENT);
            assertThat(failureOf(client.submit(order(2)))).isInstanceOf(SubmitRejectedException.class);
            assertThat(failureOf(client.submit(order(3)))).isInstanceOf(ClientClosedException.class);
            assertThat(before).isNotDone();

            cluster.committing(true);

            assertThat(await(before).blockSequence()).isEqualTo(1);
        }
        assertThat(cluster.executed()).containsExactly(1L);
    }

    @Test
    void shouldEndTheSessionByARefusal() {
        cluster.refusing(RefusalReason.UNKNOWN_INSTRUMENT);
        try (BrokerClient client = cluster.client().connect()) {
            failureOf(client.submit(order(1)));
            cluster.submits(HOME, TestNode.Submits.ADMITTING);

            assertThat(failureOf(client.submit(order(2))))
                    .as("it names the refused one")
                    .isInstanceOf(ClientClosedException.class)
                    .hasMessageContaining("number 1 of the session was refused");
            assertThat(cluster.executed()).isEmpty();
        }
    }

    @Test
    void shouldGoOnWhereTheClientBeforeEnded() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
            await(client.submit(order(2)));
        }
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.firstPosition().session()).isZero();
            assertThat(client.firstPosition().number()).isEqualTo(3);
            await(client.submit(order(3)));
        }
        assertThat(cluster.executed()).containsExactly(1L, 2L, 3L);
    }
}
