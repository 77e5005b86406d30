package io.sealbook.pbft;

import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;

/** The primary of view 0 of a cluster of four, as a test has it propose; two brokers have four sessions each. */
final class FaultyPrimary {
    static final int BROKER = 1;
    static final int OTHER = 2;
    /** Of each broker. */
    static final int SESSIONS = 4;

    private final TestCluster cluster;
    /** What it holds back, by broker. */
    private final List<Queue<SessionEnd>> waiting = List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
    /** How many batches each broker has signed. */
    private final int[] signed = new int[3];

    private long proposed;
    private Digest previous = Digest.ZERO;

    FaultyPrimary(TestCluster cluster) {
        this.cluster = cluster;
    }

    /** Replica 0 stops; the test says in its place what a faulty primary of view 0 says. */
    void takeOver() {
        cluster.crash(0);
    }

    Queue<SessionEnd> waiting(int broker) {
        return waiting.get(broker);
    }

    /** Hands in that many batches of a broker, in its four sessions in turn. */
    void submit(int broker, int count) {
        for (int i = 0; i < count; i++) {
            int serial = signed[broker]++;
            SessionEnd batch = batch(broker, serial);
            Digest before = serial < SESSIONS
                    ? Digest.ZERO
                    : batch(broker, serial - SESSIONS).id();
            waiting.get(broker).add(batch);
            for (int node = 0; node < 4; node++) {
                cluster.input(node, new Input.BatchAvailable(batch, before));
            }
        }
    }

    private static SessionEnd batch(int broker, int serial) {
        return new SessionEnd(
                SessionKey.of(broker, serial % SESSIONS),
                1 + serial / SESSIONS,
                TestCluster.batchId(100_000 * broker + serial));
    }

    /** Proposes that many of each broker's oldest batches in one block. */
    void propose(int ofBroker, int ofOther) {
        TreeMap<Long, SessionEnd> named = new TreeMap<>();
        take(BROKER, ofBroker, named);
        take(OTHER, ofOther, named);
        proposed++;
        Proposal proposal = new Proposal(0, proposed, cluster.nowNs, previous, List.copyOf(named.values()));
        previous = proposal.digest();
        byte[] signedBytes = PrePrepare.signedBytes(TestCluster.EPOCH, 0, proposal.sequence(), proposal.digest(), 0);
        PrePrepare prePrepare = new PrePrepare(
                0,
                proposal.sequence(),
                proposal,
                0,
                Signature.of(TestCluster.signerOf(0).sign(signedBytes)));
        for (int node = 1; node < 4; node++) {
            cluster.receive(node, prePrepare);
        }
        cluster.run();
    }

    private void take(int broker, int count, TreeMap<Long, SessionEnd> into) {
        for (int i = 0; i < count; i++) {
            SessionEnd next = waiting.get(broker).remove();
            into.put(next.sessionKey(), next);
        }
    }
}
