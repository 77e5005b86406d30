package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.pbft.TestCluster.Node;
import io.sealbook.pbft.message.BatchAck;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TOCS 2002, section 4.2. */
class NormalCaseTest {

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6, 7, 8, 9, 10})
    void shouldDeliverTheSameBlocksEverywhere(int replicaCount) {
        TestCluster cluster = new TestCluster(replicaCount);

        for (int i = 0; i < 40; i++) {
            cluster.submit();
            cluster.run();
        }

        for (Node node : cluster.nodes) {
            assertThat(node.delivered).isEqualTo(cluster.node(0).delivered);
            assertThat(node.delivered.stream().mapToInt(p -> p.ends().size()).sum())
                    .isEqualTo(40);
            assertThat(node.replica.lowWatermark()).isEqualTo(40);
            assertThat(node.replica.pendingCount()).isZero();
        }
    }

    @Test
    void shouldProposeAtOnceWhenThePipelineIsIdle() {
        TestCluster cluster = new TestCluster(4);

        cluster.submit();
        cluster.run();

        assertThat(cluster.node(0).sent(PrePrepare.class)).hasSize(1);
        assertThat(cluster.node(3).sent(Prepare.class)).hasSize(1);
        assertThat(cluster.node(3).sent(Commit.class)).hasSize(1);
        assertThat(cluster.node(3).delivered).hasSize(1);
    }

    /** At low load a batch is a block: each message more is a frame, and wakes a replica. */
    @Test
    void shouldAgreeOnALoneBatchWithNoMessageBeyondThoseOfThePaper() {
        TestCluster cluster = new TestCluster(4);
        Map<Class<?>, Integer> frames = new HashMap<>();
        cluster.link = (from, to, message) -> {
            frames.merge(message.getClass(), 1, Integer::sum);
            return true;
        };

        cluster.submit();
        cluster.run();

        assertThat(frames)
                .containsOnly(
                        Map.entry(BatchAck.class, 3),
                        Map.entry(PrePrepare.class, 3),
                        Map.entry(Prepare.class, 3 * 3),
                        Map.entry(Commit.class, 4 * 3));
    }
}
