package io.sealbook.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.cluster.TestCluster;
import io.sealbook.protocol.sbe.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SubmitTest {
    private final TestCluster cluster = new TestCluster();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void shouldCompleteWithReceiptThatNodesAgreeOn() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            Receipt receipt = client.submit(order(7)).get(10, TimeUnit.SECONDS);

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
            CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);

            assertThat(cluster.executed())
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 500).boxed().toList());
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

            assertThat(last.get(10, TimeUnit.SECONDS)).isEqualTo(first.get(10, TimeUnit.SECONDS));
            assertThat(cluster.submissions()).hasSize(1);
            assertThat(client.metrics().submittedBatches()).isEqualTo(1);
            assertThat(client.metrics().committedOrders()).isEqualTo(10);
        }
    }

    static Order order(long clOrdId) {
        return Order.limit(clOrdId, 1, 1, Side.BUY, 100, 10);
    }
}
