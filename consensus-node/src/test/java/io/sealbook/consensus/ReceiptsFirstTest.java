package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import io.sealbook.archive.Block;
import io.sealbook.consensus.execution.ChainedDigestProvider;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replica answers before it executes: its engine here does not, until the broker has the receipts of the block. */
@Timeout(300)
class ReceiptsFirstTest {
    private static final int NODES = 4;
    private static final int BATCHES = 40;

    /** Highest block of which each node has sent receipts. */
    private final AtomicInteger[] heard = {
        new AtomicInteger(), new AtomicInteger(), new AtomicInteger(), new AtomicInteger()
    };

    private final List<Long> executed = Collections.synchronizedList(new ArrayList<>());
    private final Set<Integer> following = ConcurrentHashMap.newKeySet();
    private volatile boolean doesWait;

    /** Waits with each block until all nodes have sent its receipts. */
    private final class Patient implements InProcessEngine {
        private Digest result = Digest.ZERO;

        @Override
        public Digest execute(Block block) {
            long sequence = block.header().sequence();
            if (doesWait) {
                awaitReceipts(sequence);
            }
            executed.add(sequence);
            result = ChainedDigestProvider.next(result, block);
            return result;
        }
    }

    private void awaitReceipts(long sequence) {
        try {
            Facts.await("receipts of block " + sequence + " have left all nodes", () -> isHeard(sequence));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isHeard(long sequence) {
        for (AtomicInteger of : heard) {
            if (of.get() < sequence) {
                return false;
            }
        }
        return true;
    }

    private final class Receipts implements StreamObserver<BlockReceipts> {
        private final int node;
        private long last;

        Receipts(int node) {
            this.node = node;
        }

        @Override
        public void onNext(BlockReceipts block) {
            following.add(node);
            if (block.getBatchesCount() > 0) {
                assertThat(block.getBlockSequence()).isEqualTo(last + 1);
                last = block.getBlockSequence();
                heard[node].set((int) last);
            }
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

    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=shared", "stage-threads=own"})
    void shouldSendReceiptsBeforeTheBlockIsExecuted(String threads) throws Exception {
        doesWait = true;
        try (TestCluster cluster = TestCluster.startReplicas((registry, last, tls) -> new Patient(), threads)) {
            follow(cluster);
            TestBroker broker = cluster.broker(1);
            for (int i = 1; i <= BATCHES; i++) {
                broker.submitTo(i % NODES, broker.batch(2));
                cluster.awaitCommitted(i);
            }
            cluster.await("every batch is answered", () -> broker.answers(SubmitStatus.ACCEPTED) == BATCHES);
            long blocks = cluster.node(0).status().getLastDelivered();
            cluster.await("all is executed", () -> executed.size() == NODES * blocks);
            assertThat(executed).containsOnly(numbers(blocks));
        }
    }

    /** What was committed and not executed when a node ended is executed after its next start, once and in order. */
    @Test
    void shouldExecuteAfterARestartWhatItsReceiptsPromised() throws Exception {
        try (TestCluster cluster =
                TestCluster.startReplicas((registry, last, tls) -> new Patient(), "stage-threads=shared")) {
            TestBroker broker = cluster.broker(1);
            for (int i = 1; i <= BATCHES; i++) {
                broker.submitTo(i % 3, broker.batch(2));
            }
            cluster.awaitCommitted(BATCHES);
            cluster.kill(3);
            executed.clear();
            cluster.startNode(3);
            cluster.awaitConnected();
            long blocks = cluster.node(3).status().getLastDelivered();
            cluster.await(
                    "it has executed its chain", () -> cluster.node(3).status().getLastExecuted() == blocks);
            assertThat(cluster.node(3).status().getResultDigest())
                    .isEqualTo(cluster.node(0).status().getResultDigest());
        }
    }

    /** Returns once every node has answered: one whose loop executes takes no further follower. */
    private void follow(TestCluster cluster) throws Exception {
        for (int node = 0; node < NODES; node++) {
            cluster.asyncGateway(node)
                    .followReceipts(
                            FollowReceiptsRequest.newBuilder()
                                    .setBrokerId(1)
                                    .setFromBlock(1)
                                    .build(),
                            new Receipts(node));
        }
        cluster.await("all nodes have followers", () -> following.size() == NODES);
    }

    private static Long[] numbers(long last) {
        Long[] numbers = new Long[(int) last];
        for (int i = 0; i < last; i++) {
            numbers[i] = i + 1L;
        }
        return numbers;
    }
}
