package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.consensus.peers.PeerGate;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** For which heartbeat periods the agent is woken; it is fed with all of them. */
class AgentInboxTest {
    private static final long ALL = 0b1110;
    private static final long WITHOUT_PRIMARY = 0b1100;

    private final AgentInbox inbox = new AgentInbox();
    private final AtomicInteger wakeUps = new AtomicInteger();
    private final PeerGate gate = new PeerGate(
            inbox,
            new CommitQueue(64),
            Runnable::run,
            new NodeMetrics(new SimpleMeterRegistry(), new NodeState(Digest.ZERO)));

    @BeforeEach
    void countWakeUps() {
        inbox.onPut(wakeUps::incrementAndGet);
        gate.onHeard(ALL, ALL);
        wakeUps.set(0);
    }

    @Test
    void shouldNotWakeForPeriodsInWhichAllWereHeard() {
        for (int period = 0; period < 5; period++) {
            gate.onHeard(ALL, ALL);
        }

        assertThat(wakeUps).hasValue(0);
        assertThat(drained()).hasSize(6).containsOnly(new Input.Heard(ALL));
    }

    @Test
    void shouldWakeForEachPeriodInWhichAConnectedPeerIsSilent() {
        gate.onHeard(WITHOUT_PRIMARY, ALL);
        gate.onHeard(WITHOUT_PRIMARY, ALL);
        assertThat(wakeUps).hasValue(2);

        gate.onHeard(ALL, ALL);
        assertThat(wakeUps).as("the silence is over").hasValue(3);
        gate.onHeard(ALL, ALL);
        assertThat(wakeUps).hasValue(3);
    }

    @Test
    void shouldNotWakeForAPeerThatIsAway() {
        gate.onHeard(WITHOUT_PRIMARY, WITHOUT_PRIMARY);
        assertThat(wakeUps).as("it was heard before").hasValue(1);

        gate.onHeard(WITHOUT_PRIMARY, WITHOUT_PRIMARY);
        assertThat(wakeUps).hasValue(1);
    }

    private List<Input> drained() {
        List<Input> drained = new ArrayList<>();
        inbox.drain(drained::add, 100);
        return drained;
    }
}
