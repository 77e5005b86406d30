package io.sealbook.node.agent;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CommitTask;
import io.sealbook.node.port.NoEvents;
import io.sealbook.node.port.Peers;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.node.replicalog.VoteMark;
import io.sealbook.node.session.EvidenceStore;
import io.sealbook.node.session.Sessions;
import io.sealbook.node.spread.PayloadRoute;
import io.sealbook.node.spread.Spreading;
import io.sealbook.node.status.NodeState;
import io.sealbook.pbft.Input;
import io.sealbook.pbft.Replica;
import io.sealbook.pbft.ReplicaConfig;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.NewView;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.StableCertificate;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.protocol.sbe.MessageHeaderEncoder;
import io.sealbook.protocol.sbe.OrderBatchEncoder;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SignedBatch;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;

/** The duty cycle of replica 3 of 4, whose members say nothing and whose committer takes everything. */
final class CycleFixture implements AutoCloseable {
    static final int SELF = 3;
    private static final int MEMBERS = 4;
    private static final int SESSION = 2;
    private static final Signature ANY = Signature.of(new byte[65]);

    final PayloadStore store = new PayloadStore(1 << 20, MEMBERS, SELF);
    final Sessions sessions = new Sessions();
    final NodeState state = new NodeState(Digest.ZERO);
    final List<CommitTask> committed = new ArrayList<>();

    record SentPayload(int to, byte[] signedBatch) {}

    final List<SentPayload> payloadsSent = new ArrayList<>();

    final List<Message> broadcasts = new ArrayList<>();

    final ReplicaLog log;
    final EvidenceStore evidence;
    private final VoteMark mark;

    CycleFixture(Path directory) {
        log = ReplicaLog.open(FileStorage.open(directory.resolve("log")), Durability.PROCESS);
        evidence = EvidenceStore.open(FileStorage.open(directory.resolve("evidence")));
        mark = VoteMark.open(FileStorage.open(directory.resolve("mark")), Durability.PROCESS);
    }

    /** Returns a cycle of a new replica that is given these batches before it starts. */
    ReplicaCycle cycle(List<Input.BatchAvailable> restored) {
        ReplicaConfig config = ReplicaConfig.builder(SELF, MEMBERS, 7).build();
        Peers peers = (Peers) Proxy.newProxyInstance(
                Peers.class.getClassLoader(), new Class<?>[] {Peers.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("sendPayload")) {
                        payloadsSent.add(new SentPayload((int) arguments[0], (byte[]) arguments[2]));
                    }
                    if (method.getName().equals("broadcast")) {
                        broadcasts.add((Message) arguments[0]);
                    }
                    return method.getReturnType() == Set.class ? Set.of() : null;
                });
        NoEvents events = new NoEvents();
        return new ReplicaCycle(
                new Replica(config, bytes -> new byte[65]),
                restored,
                new AgentContext(
                        peers,
                        new Spreading(SELF, MEMBERS, PayloadRoute.DIRECT, store, peers, events, 1),
                        log,
                        mark,
                        Durability.PROCESS,
                        store,
                        sessions,
                        evidence,
                        member -> 0,
                        committed::add,
                        state,
                        events));
    }

    /**
     * Returns a stored batch.
     *
     * @param number in its session
     * @param version of the broker's batches under this number
     * @param previous batch before; null for the first
     */
    Payload stored(long number, int version, Payload previous) {
        return stored(SESSION, number, version, previous);
    }

    /** Returns a stored batch that is the first of another session. */
    Payload storedElsewhere() {
        return stored(SESSION + 1, 1, 0, null);
    }

    private Payload stored(int session, long number, int version, Payload previous) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        signed[0] = (byte) number;
        signed[1] = (byte) version;
        signed[2] = (byte) session;
        Digest before = previous == null ? Digest.ZERO : previous.batchId();
        BatchPosition position = new BatchPosition(session, number, before);
        Payload payload = new Payload(Digest.sha256(signed), signed, 1, position, 100, 1, SELF, 1, 1);
        store.restore(payload);
        return payload;
    }

    /** Returns a first batch of the session as its broker might sign it; others by {@code validUntilBlock}. */
    static byte[] signedBatch(long validUntilBlock) {
        byte[] signed = new byte[SignedBatch.signedLength(1)];
        new OrderBatchEncoder()
                .wrapAndApplyHeader(new UnsafeBuffer(signed), 0, new MessageHeaderEncoder())
                .number(1)
                .validUntilBlock(validUntilBlock)
                .brokerId(1)
                .session(SESSION)
                .ordersCount(1);
        return signed;
    }

    static SessionEnd end(Payload payload) {
        return new SessionEnd(payload.sessionKey(), payload.number(), payload.batchId());
    }

    /**
     * Feeds a block that the others have decided in a view which has not begun here: the replica votes for nothing.
     *
     * @param cycle begun
     * @param last batch of the block
     */
    void decide(ReplicaCycle cycle, Payload last) {
        PrePrepare decided = firstProposal(1, last);
        cycle.receive(decided);
        cycle.receive(new Commit(Commit.DECIDED_VIEW, 1, decided.digest(), 0));
        cycle.receive(new Commit(Commit.DECIDED_VIEW, 1, decided.digest(), 2));
    }

    /**
     * Returns what the primary of a view proposes as the first block.
     *
     * @param view from 0
     * @param last batch of the block
     */
    static PrePrepare firstProposal(int view, Payload last) {
        return new PrePrepare(view, 1, new Proposal(view, 1, 1, Digest.ZERO, List.of(end(last))), view % MEMBERS, ANY);
    }

    /** Returns the message that begins view 1 with nothing of view 0. */
    static NewView emptyNewView() {
        List<ViewChange> viewChanges = IntStream.range(0, MEMBERS - 1)
                .mapToObj(sender -> new ViewChange(1, StableCertificate.GENESIS, List.of(), sender, ANY))
                .toList();
        return new NewView(1, viewChanges, List.of(), 1, ANY);
    }

    @Override
    public void close() {
        log.close();
        evidence.close();
        mark.close();
    }
}
