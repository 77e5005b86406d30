package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.facts.Facts;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class HandOverTest {
    private static final int OWN = 2;
    private static final int NODES = 4;

    private final NodeState state = new NodeState(Digest.ZERO);
    private final AgentInbox inbox = new AgentInbox();

    @Test
    void shouldWaitForTheNextView() throws Exception {
        agreement(OWN, true, 0);
        CompletableFuture<Void> handedOver = CompletableFuture.runAsync(() -> handOver(2));

        Facts.await("hand-over", () -> inbox.depth() == 1);
        assertThat(drained()).containsExactly(new Input.HandOver());
        agreement(OWN + 1, true, 0);

        handedOver.get();
    }

    @Test
    void shouldHandOverAViewThatItWaitsFor() throws Exception {
        agreement(OWN + 1, false, 0);
        CompletableFuture<Void> handedOver = CompletableFuture.runAsync(() -> handOver(3));

        Facts.await("hand-over", () -> inbox.depth() == 1);
        agreement(OWN + 1, true, 0);

        handedOver.get();
    }

    @Test
    void shouldHandNothingOverIfItLeadsNoViewOrTooFewAreConnected() {
        agreement(OWN + 1, true, 0);
        handOver(NODES - 1);
        agreement(OWN, true, 16);
        handOver(NODES - 1);
        agreement(OWN, true, 0);
        handOver(1);

        assertThat(inbox.depth()).isZero();
    }

    private void agreement(int primary, boolean isViewActive, long isolatedAt) {
        state.agreement(new NodeState.Agreement(primary, primary, isViewActive, isolatedAt, 0, 0, 0));
    }

    private void handOver(int connectedCount) {
        new HandOver(OWN, state, inbox).run(NODES, connectedCount);
    }

    private List<Input> drained() {
        List<Input> inputs = new ArrayList<>();
        inbox.drain(inputs::add, NODES);
        return inputs;
    }
}
