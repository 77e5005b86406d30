package io.sealbook.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.protocol.v1.EngineState;
import io.sealbook.protocol.v1.NodeStatus;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecoveredClusterTest {
    private static final List<EngineState> ENGINES =
            Collections.nCopies(4, EngineState.newBuilder().setLastExecuted(990).build());

    private static NodeStatus node(String state, long view, long delivered) {
        return NodeStatus.newBuilder()
                .setReady(true)
                .setState(state)
                .setView(view)
                .setLastDelivered(delivered)
                .build();
    }

    private static boolean isReadyWith(NodeStatus last) {
        NodeStatus other = node("NORMAL", 3, 1_000);
        return RecoveredCluster.isReady(List.of(other, other, other, last), ENGINES);
    }

    @Test
    void shouldBeReadyWhenAllVoteInOneView() {
        assertThat(isReadyWith(node("NORMAL", 3, 937))).isTrue();
    }

    @Test
    void shouldWaitForAReplicaWithoutAView() {
        assertThat(isReadyWith(node("VIEW_CHANGE", 4, 1_000))).isFalse();
        assertThat(isReadyWith(node("CATCHING_UP", 3, 1_000))).isFalse();
    }

    @Test
    void shouldWaitForAReplicaInALowerView() {
        assertThat(isReadyWith(node("NORMAL", 2, 1_000))).isFalse();
    }

    @Test
    void shouldWaitForAReplicaThatLags() {
        assertThat(isReadyWith(node("NORMAL", 3, 935))).isFalse();
    }

    @Test
    void shouldWaitForANodeThatIsNotReady() {
        assertThat(isReadyWith(
                        node("NORMAL", 3, 1_000).toBuilder().setReady(false).build()))
                .isFalse();
    }

    @Test
    void shouldWaitForAnEngineThatLags() {
        NodeStatus node = node("NORMAL", 3, 1_100);
        assertThat(RecoveredCluster.isReady(List.of(node, node, node, node), ENGINES))
                .isFalse();
    }
}
