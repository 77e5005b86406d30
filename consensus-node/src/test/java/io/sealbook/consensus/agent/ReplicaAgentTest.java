package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.archive.storage.FileStorage;
import io.sealbook.consensus.status.EventRecorder;
import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.node.agent.AgentContext;
import io.sealbook.node.agent.ReplicaCycle;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NodeEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.port.StorageFailureException;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodePhase;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.ReplicaRecord;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Outcome;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.peer.PeerInbox;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** An agent whose committer has no room, on one thread. A cycle that waits would wait for ever: hence the limit. */
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class ReplicaAgentTest {
    private static final int COMMITS = 8;
    private static final Signature ANY = Signature.of(new byte[65]);

    @TempDir
    private Path directory;

    private final Queue<Message> received = new ArrayDeque<>();
    private final AgentInbox inbox = new AgentInbox();
    private final List<CommitTask> tasks = new ArrayList<>();
    private int room;
    /** For each PREPARE that left: whether its record and the mark were written before. */
    private final List<Boolean> areVotesRecorded = new ArrayList<>();

    /** Inputs that waited in the inbox, at each look for votes. */
    private final List<Integer> waitingAtVotes = new ArrayList<>();

    private final NoPeers peers = new NoPeers();
    private final PayloadStore payloads = new PayloadStore(1 << 20, 4, 1);
    private ReplicaLog log;
    private VoteMark mark;
    private EvidenceStore evidence;
    private ReplicaAgent agent;

    @BeforeEach
    void open() {
        log = ReplicaLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS);
        mark = VoteMark.open(FileStorage.open(directory.resolve("mark")), Durability.PROCESS);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        agent = agent();
    }

    @AfterEach
    void close() {
        log.close();
        mark.close();
        evidence.close();
    }

    @Test
    void shouldNotWaitForACommitterWithoutRoomAndLoseNothing() {
        decide();

        agent.doWork();
        assertThat(tasks).isEmpty();
        assertThat(agent.hasWork()).isFalse();
        assertThat(agent.idleNs()).isPositive().isLessThan(1_000_000);

        room = 3;
        agent.doWork();
        assertThat(tasks).hasSize(3);

        room = Integer.MAX_VALUE;
        agent.doWork();
        assertThat(tasks)
                .extracting(task -> ((CommitTask.Deliver) task).proposal().sequence())
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void shouldMarkThatItVotesAfterTheRecordAndBeforeTheVote() {
        assertThat(mark.isSet()).isFalse();
        decide();
        room = Integer.MAX_VALUE;

        agent.doWork();

        assertThat(areVotesRecorded).hasSize(COMMITS).containsOnly(true);
    }

    @Test
    void shouldLeaveNoMarkWhenItsRecordCannotBeWritten() {
        decide();
        log.close();

        assertThatThrownBy(agent::doWork).isInstanceOf(StorageFailureException.class);

        assertThat(mark.isSet()).isFalse();
        assertThat(areVotesRecorded).isEmpty();
    }

    @Test
    void shouldDecideNothingMoreWhileTheCommitterHasNoRoom() {
        decide();
        agent.doWork();
        inbox.put(batch(99));

        assertThat(agent.doWork()).isZero();
        assertThat(inbox.depth()).isEqualTo(1);

        room = Integer.MAX_VALUE;
        agent.doWork();
        assertThat(inbox.depth()).isZero();
    }

    /** Else a vote that came after them would count as older than they are. */
    @Test
    void shouldCountHeartbeatPeriodsThatWaitedBeforeVotes() {
        inbox.offerQuietly(new Input.Heard(0b1101));
        inbox.offerQuietly(new Input.Heard(0b1101));

        agent.doWork();

        assertThat(waitingAtVotes).containsExactly(0);
    }

    @Test
    void shouldPublishARestoredIsolationBeforeTheFirstCycle() {
        Outcome own = new Outcome(id(1), id(2));
        Outcome agreed = new Outcome(id(1), id(3));
        Replica isolated = new Replica(config(), bytes -> new byte[65]);
        isolated.restore(List.of(new ReplicaRecord.Isolated(16, own, agreed)), 0, sequence -> Digest.ZERO, List.of());
        NodeState state = new NodeState(Digest.ZERO);
        assertThat(state.phase()).isEqualTo(NodePhase.NORMAL);

        new ReplicaCycle(isolated, List.of(), context(state));

        assertThat(state.phase()).isEqualTo(NodePhase.ISOLATED);
        assertThat(state.isolatedAt()).isEqualTo(16);
    }

    /** Hands the agent proposals and the commits of the three others for them. */
    private void decide() {
        Digest previous = Digest.ZERO;
        for (int i = 1; i <= COMMITS; i++) {
            payloads.put(new Payload(id(i), new byte[1], 1, BatchPosition.first(i), 100, 1, 1, 0, 0));
            inbox.put(batch(i));
            Proposal proposal = new Proposal(0, i, i, previous, List.of(end(i)));
            previous = proposal.digest();
            received.add(new PrePrepare(0, i, proposal, 0, ANY));
            for (int sender : new int[] {0, 2, 3}) {
                received.add(new Commit(0, i, proposal.digest(), sender));
            }
        }
    }

    /** Returns the first batch of a session of its own. */
    private static Input.BatchAvailable batch(int session) {
        return new Input.BatchAvailable(end(session), Digest.ZERO);
    }

    private static SessionEnd end(int session) {
        return new SessionEnd(SessionKey.of(1, session), 1, id(session));
    }

    private ReplicaAgent agent() {
        NodeState state = new NodeState(Digest.ZERO);
        return new ReplicaAgent(
                new ReplicaCycle(new Replica(config(), bytes -> new byte[65]), List.of(), context(state)),
                new TestInbox(),
                inbox,
                new SystemEpochNanoClock());
    }

    private static ReplicaConfig config() {
        return ReplicaConfig.builder(1, 4, 7)
                .blockTimeDriftMaxNs(Long.MAX_VALUE)
                .build();
    }

    private AgentContext context(NodeState state) {
        NodeEvents events = new EventRecorder(new NodeMetrics(new SimpleMeterRegistry(), state));
        return new AgentContext(
                peers,
                new Spreading(1, 4, PayloadRoute.DIRECT, payloads, peers, events, 1),
                log,
                mark,
                Durability.PROCESS,
                payloads,
                new Sessions(),
                evidence,
                member -> 0,
                this::offer,
                state,
                events);
    }

    private boolean offer(CommitTask task) {
        return room-- > 0 && tasks.add(task);
    }

    private static Digest id(int number) {
        return Digest.sha256(new byte[] {(byte) number});
    }

    private final class NoPeers implements Peers {
        @Override
        public void send(int to, Message message) {
            // Nobody is there.
        }

        @Override
        public void broadcast(Message message) {
            if (message instanceof Prepare) {
                areVotesRecorded.add(mark.isSet() && !log.records().isEmpty());
            }
        }

        @Override
        public void sendPayload(int to, Digest batchId, byte[] signedBatch) {
            // Nobody is there.
        }

        @Override
        public void broadcastPayload(Digest batchId, byte[] signedBatch) {
            // Nobody is there.
        }

        @Override
        public void requestBatches(int to, List<BatchRange> ranges) {
            // Nobody is there.
        }

        @Override
        public void requestBlocks(int to, long from, int count) {
            // Nobody is there.
        }

        @Override
        public Set<Integer> connected() {
            return Set.of();
        }

        @Override
        public void discardThrough(long stableSequence) {
            // No checkpoint becomes stable.
        }
    }

    private final class TestInbox implements PeerInbox {
        @Override
        public int drain(Consumer<Message> consumer, int limit) {
            waitingAtVotes.add(inbox.depth());
            int count = Math.min(limit, received.size());
            IntStream.range(0, count).forEach(i -> consumer.accept(received.remove()));
            return count;
        }

        @Override
        public boolean isEmpty() {
            return received.isEmpty();
        }

        @Override
        public void setWakeup(Runnable wakeup) {
            // The test calls the agent itself.
        }

        @Override
        public void discardThrough(long stableSequence) {
            received.clear();
        }
    }
}
