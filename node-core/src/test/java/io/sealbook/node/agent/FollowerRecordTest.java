package io.sealbook.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A replica that joins late delivers what the others decided before it has voted. An archive without any record would
 * look like a lost log, and the replica would not start again.
 */
class FollowerRecordTest {
    private static final int SELF = 3;
    private static final int MEMBERS = 4;
    private static final Signature ANY = Signature.of(new byte[65]);

    @TempDir
    private Path directory;

    private final PayloadStore store = new PayloadStore(1 << 20, MEMBERS, SELF);
    private final List<CommitTask> delivered = new ArrayList<>();
    /** Whether the mark was set when the committer got each. */
    private final List<Boolean> marks = new ArrayList<>();

    @Test
    void shouldHaveARecordBeforeTheFirstBlockIsCommittedThatItDidNotVoteFor() {
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS);
                VoteMark mark = VoteMark.open(FileStorage.open(directory.resolve("mark")), Durability.PROCESS)) {
            ReplicaCycle cycle = cycle(log, mark);
            Payload payload = payload();
            store.put(payload);
            SessionEnd end = new SessionEnd(payload.sessionKey(), payload.number(), payload.batchId());
            // Of a view that has not begun here: it votes for nothing.
            Proposal proposal = new Proposal(1, 1, 1, Digest.ZERO, List.of(end));

            cycle.begin(1);
            cycle.step(payload.available());
            cycle.receive(new PrePrepare(1, 1, proposal, 1, ANY));
            cycle.receive(new Commit(Commit.DECIDED_VIEW, 1, proposal.digest(), 0));
            cycle.receive(new Commit(Commit.DECIDED_VIEW, 1, proposal.digest(), 2));
            cycle.end(1);

            assertThat(delivered).hasSize(1);
            assertThat(marks).containsExactly(true);
            assertThat(log.records()).isNotEmpty();
        }
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS)) {
            assertThat(log.records()).as("after a restart").isNotEmpty();
        }
    }

    private ReplicaCycle cycle(ReplicaLog log, VoteMark mark) {
        ReplicaConfig config = ReplicaConfig.builder(SELF, MEMBERS, 7).build();
        Peers peers = (Peers) Proxy.newProxyInstance(
                Peers.class.getClassLoader(),
                new Class<?>[] {Peers.class},
                (proxy, method, arguments) -> method.getReturnType() == Set.class ? Set.of() : null);
        NoEvents events = new NoEvents();
        return new ReplicaCycle(
                new Replica(config, bytes -> new byte[65]),
                List.of(),
                new AgentContext(
                        peers,
                        new Spreading(SELF, MEMBERS, PayloadRoute.DIRECT, store, peers, events, 1),
                        log,
                        mark,
                        Durability.PROCESS,
                        store,
                        new Sessions(),
                        task -> {
                            marks.add(mark.isSet());
                            return delivered.add(task);
                        },
                        new NodeState(Digest.ZERO),
                        events));
    }

    private static Payload payload() {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        Digest id = Digest.sha256(signed);
        return new Payload(id, signed, 1, BatchPosition.first(0), 100, 1, SELF, 1, 1);
    }
}
