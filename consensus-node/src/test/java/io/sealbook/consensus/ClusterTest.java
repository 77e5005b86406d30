package io.sealbook.consensus;

import io.sealbook.protocol.v1.SubmitStatus;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Four nodes with real transports, archives and queues on loopback; only the engine is a small one of the test's own.
 */
@Timeout(300)
class ClusterTest {
    @ParameterizedTest
    @CsvSource({"stage-threads=own, false", "stage-threads=shared, false", "stage-threads=own, true"})
    void shouldCommitTheSameBlocksOnAllNodes(String stages, boolean isFair) throws Exception {
        try (TestCluster cluster = TestCluster.start(parameters -> parameters.setFairOrder(isFair), stages)) {
            TestBroker broker = cluster.broker(1);
            for (int i = 0; i < 200; i++) {
                broker.submitTo(i % 4, broker.batch(3));
            }

            cluster.awaitCommitted(200);
            cluster.assertEqualChains();
            cluster.await("every batch is answered", () -> broker.answers(SubmitStatus.ACCEPTED) == 200);

            for (int wave = 1; wave <= 8; wave++) {
                broker.submitTo(0, broker.batch(1));
                cluster.awaitCommitted(200 + wave);
            }
            cluster.awaitCertified();
        }
    }
}
