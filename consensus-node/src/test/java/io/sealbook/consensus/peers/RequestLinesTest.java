package io.sealbook.consensus.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.agent.AgentInbox;
import io.sealbook.consensus.agent.CommitQueue;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Which requests of peers the service thread serves, and when. */
class RequestLinesTest {
    private static final int ROOM = 16;

    private final Queue<Runnable> service = new ArrayDeque<>();
    private final List<String> served = new ArrayList<>();
    private final RequestLines lines = new RequestLines(this::execute);

    private void execute(Runnable task) {
        if (service.size() == ROOM) {
            throw new RejectedExecutionException("full");
        }
        service.add(task);
    }

    private void runAll() {
        for (Runnable task = service.poll(); task != null; task = service.poll()) {
            task.run();
        }
    }

    private boolean offer(int peer, String name) {
        return lines.offer(peer, () -> served.add(name));
    }

    @Test
    void shouldServePeersInTurnHoweverMuchOneAsksFor() {
        for (int i = 0; i < 3; i++) {
            assertThat(offer(3, "greedy " + i)).isTrue();
        }
        assertThat(offer(1, "modest")).isTrue();
        runAll();

        assertThat(served).containsExactly("greedy 0", "modest", "greedy 1", "greedy 2");
        assertThat(offer(3, "later")).isTrue();
        runAll();
        assertThat(served).endsWith("later");
    }

    @Test
    void shouldRefuseAPeerWhoseLineIsFullAndNobodyElse() {
        for (int i = 0; i < RequestLines.WAITING_MAX; i++) {
            assertThat(offer(3, "greedy")).isTrue();
        }
        assertThat(offer(3, "one too many")).isFalse();
        assertThat(service).as("of a peer one task waits").hasSize(1);
        assertThat(offer(1, "modest")).isTrue();

        runAll();

        assertThat(served).hasSize(RequestLines.WAITING_MAX + 1).doesNotContain("one too many");
    }

    @Test
    void shouldGoOnAfterARequestThatFails() {
        lines.offer(2, () -> {
            throw new IllegalStateException("cannot be read");
        });
        offer(2, "next");

        assertThatThrownBy(() -> service.remove().run()).hasMessage("cannot be read");
        runAll();

        assertThat(served).containsExactly("next");
    }

    @Test
    void shouldSayThatNothingIsServedAndServeAgainWhenThereIsRoom() {
        for (int i = 0; i < ROOM; i++) {
            service.add(() -> {});
        }
        assertThat(offer(2, "without room")).isFalse();
        runAll();

        assertThat(offer(2, "with room")).isTrue();
        runAll();
        assertThat(served).containsExactly("with room");
    }

    /** A member that asks for blocks without end, and one that has restarted and needs some. */
    @Test
    void shouldKeepRoomForOthersAtTheGate() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PeerGate gate = gate(registry);
        for (int i = 0; i < 100; i++) {
            gate.onBlockRequest(3, 1, 256);
        }
        double refused = dropped(registry);
        assertThat(refused).isPositive();

        gate.onBlockRequest(1, 1, 256);
        gate.onBatchRequest(2, List.of());

        assertThat(dropped(registry)).isEqualTo(refused);
        assertThat(service).hasSize(3);
    }

    /** A genesis file may name more nodes than transactions can add. */
    @Test
    void shouldTakeRequestsOfAllNodesOfALargeCluster() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        PeerGate gate = gate(registry);
        for (int peer = 0; peer < ROOM; peer++) {
            gate.onBlockRequest(peer, 1, 256);
        }

        assertThat(service).hasSize(ROOM);
        assertThat(dropped(registry)).isZero();
    }

    private PeerGate gate(SimpleMeterRegistry registry) {
        return new PeerGate(
                new AgentInbox(),
                new CommitQueue(64),
                this::execute,
                new NodeMetrics(registry, new NodeState(Digest.ZERO)));
    }

    private static double dropped(SimpleMeterRegistry registry) {
        return registry.get("sealbook.node.peer.dropped.requests").counter().count();
    }
}
