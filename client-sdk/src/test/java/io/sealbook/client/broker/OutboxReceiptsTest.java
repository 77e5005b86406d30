package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.facts.Facts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches of earlier runs stay in the outbox when they are in blocks: nodes need not read these blocks again. */
class OutboxReceiptsTest extends ClusterTest {
    private static final int BLOCKS_BETWEEN = 1_000;
    private static final int LATE_NODE = 3;

    @TempDir
    private Path directory;

    @Test
    void shouldNotAskForReceiptsSinceTheEarlierRun() throws Exception {
        try (BrokerClient first = cluster.client().outbox(directory).connect()) {
            await(first.submit(order(1)));
            awaitStreams();
        }
        cluster.commit(BLOCKS_BETWEEN);
        int[] before = streamCounts();
        cluster.kill(LATE_NODE);

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            await(second.submit(order(2)));
            cluster.restart(LATE_NODE);

            assertThat(startsSince(before)).allMatch(from -> from > BLOCKS_BETWEEN);
        }
    }

    /** No block holds it that f+1 nodes had when it was signed. */
    @Test
    void shouldAskForReceiptsSinceTheFirstBatchThatIsInNoBlock() throws Exception {
        try (BrokerClient first = cluster.client()
                .outbox(directory)
                .validityBlocks(cluster.genesis().genesis().getParameters().getValidityBlocksMax())
                .closeTimeout(Duration.ofMillis(1))
                .connect()) {
            await(first.submit(order(1)));
            awaitStreams();
            cluster.commit(BLOCKS_BETWEEN);
            Facts.await("the client has seen these blocks", () -> first.chainHeight() > BLOCKS_BETWEEN);
            cluster.committing(false);
            first.submit(order(2));
            awaitSubmissions(2);
        }
        int[] before = streamCounts();

        try (BrokerClient second = cluster.client().outbox(directory).connect()) {
            assertThat(startsSince(before)).containsOnly(BLOCKS_BETWEEN + 2L);
            cluster.committing(true);
            CompletableFuture<Receipt> resent = second.resent().get(0).receipt();
            assertThat(await(resent).blockSequence()).isEqualTo(BLOCKS_BETWEEN + 2);
        }
        assertThat(cluster.executed()).containsExactly(1L, 2L);
    }

    /** What a client asks when it is closed comes later. */
    private void awaitStreams() throws Exception {
        startsSince(new int[TestCluster.NODE_COUNT]);
    }

    private int[] streamCounts() {
        return IntStream.range(0, TestCluster.NODE_COUNT)
                .map(node -> cluster.receiptsFrom(node).size())
                .toArray();
    }

    /** Waits for a further stream of each node, and returns the first blocks of all further ones. */
    private List<Long> startsSince(int[] before) throws Exception {
        List<Long> starts = new ArrayList<>();
        for (int id = 0; id < TestCluster.NODE_COUNT; id++) {
            int node = id;
            Facts.await(
                    "node " + node + " is asked for receipts",
                    () -> cluster.receiptsFrom(node).size() > before[node]);
            List<Long> all = cluster.receiptsFrom(node);
            starts.addAll(all.subList(before[node], all.size()));
        }
        return starts;
    }
}
