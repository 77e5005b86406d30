package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How often nodes decode the header of a batch between its arrival and its receipts, or its transfer. */
@Timeout(300)
class DecodeOnceTest {
    private static final int BATCHES = 40;
    private static final int FOLLOWERS = 3;

    @Test
    void shouldDecodeABatchOncePerNode() throws Exception {
        try (TestCluster cluster = TestCluster.start("laboratory=true")) {
            commitAndFollow(cluster);

            for (int node = 0; node < 4; node++) {
                assertThat(cluster.node(node).metrics().decodedBatches())
                        .as("node %d", node)
                        .isEqualTo(BATCHES);
            }
        }
    }

    @Test
    void shouldDecodeAtEveryStageIfTheLaboratoryWantsIt() throws Exception {
        try (TestCluster cluster = TestCluster.start("laboratory=true", "experiment.decoding=every-stage")) {
            commitAndFollow(cluster);

            assertThat(cluster.node(0).metrics().decodedBatches())
                    .as("admission, commit, each follower")
                    .isEqualTo((2L + FOLLOWERS) * BATCHES);
            assertThat(cluster.node(3).metrics().decodedBatches())
                    .as("admission, commit")
                    .isEqualTo(2L * BATCHES);
        }
    }

    @Test
    void shouldDecodeATransferredBatchOnce() throws Exception {
        try (TestCluster cluster = TestCluster.start(parameters -> parameters.setLogWindow(32))) {
            TestBroker broker = cluster.broker(1);
            cluster.kill(3);
            int committed = 0;
            while (cluster.node(0).status().getLastDelivered() < 80) {
                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(++committed);
            }
            cluster.startNode(3);
            cluster.awaitEqualHeight();

            assertThat(cluster.node(3).metrics().transferredBlocks()).isPositive();
            assertThat(cluster.node(3).metrics().decodedBatches()).isEqualTo(committed);
        }
    }

    private static void commitAndFollow(TestCluster cluster) throws Exception {
        AtomicInteger receipts = new AtomicInteger();
        for (int i = 0; i < FOLLOWERS; i++) {
            cluster.asyncGateway(0)
                    .followReceipts(
                            FollowReceiptsRequest.newBuilder()
                                    .setBrokerId(1)
                                    .setFromBlock(1)
                                    .build(),
                            new Counting(receipts));
        }
        TestBroker broker = cluster.broker(1);
        for (int i = 0; i < BATCHES; i++) {
            broker.submitTo(0, broker.batch(2));
        }
        cluster.awaitCommitted(BATCHES);
        cluster.await("every follower has every receipt", () -> receipts.get() == FOLLOWERS * BATCHES);
    }

    private record Counting(AtomicInteger receipts) implements StreamObserver<BlockReceipts> {
        @Override
        public void onNext(BlockReceipts block) {
            receipts.addAndGet(block.getBatchesCount());
        }

        @Override
        public void onError(Throwable reason) {
            // The end of the cluster.
        }

        @Override
        public void onCompleted() {
            // Followers have no end.
        }
    }
}
