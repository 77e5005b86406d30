package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.node.replicalog.ReplicaLog;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.PrePrepare;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.ViewChange;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import io.sealbook.vocabulary.SessionKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A replica that restarts from its log does what it would do if it had kept every record: the log forgets what views
 * that are over make needless. Engines of replicas 2 and 3 stand still, so that no checkpoint becomes stable.
 */
class RestoredFromLogTest {
    private static final int SEGMENT_LENGTH = 16 << 10;
    private static final int SESSIONS = 5;
    private static final int WINDOW = 16;
    private static final int STEPS = 120;

    @TempDir
    private Path directory;

    private final TestCluster cluster = new TestCluster(4);
    /** How many batches of each session each replica has. */
    private final int[][] held = new int[4][SESSIONS];

    /** The window is full, and two replicas find it wedged again and again. */
    @Test
    void shouldKeepABoundedLogWhileViewsChangeAndEnginesStandStill() {
        stopEngines();
        for (int block = 0; block < WINDOW; block++) {
            submit(block % SESSIONS);
            cluster.run();
        }
        submit(0);
        awaitView(4);
        int recordsAtFirst = restoredRecords(0).size();
        awaitView(24);

        assertThat(cluster.replica(0).lowWatermark()).isZero();
        assertThat(cluster.node(0).delivered).hasSize(WINDOW);
        assertThat(restoredRecords(0)).hasSizeLessThanOrEqualTo(recordsAtFirst);
        for (int replica = 0; replica < 4; replica++) {
            compare(replica);
        }
    }

    private void awaitView(long view) {
        for (int seconds = 0; cluster.replica(0).view() < view && seconds < 1_000; seconds++) {
            cluster.advance(1_000 * TestCluster.MS);
        }
        assertThat(cluster.replica(0).view()).isGreaterThanOrEqualTo(view);
    }

    /** Votes are lost, so that views prepare more or less of what they propose, and propose other batches. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldGoOnAsWithEveryRecord(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        stopEngines();
        for (int step = 0; step < STEPS; step++) {
            lose(random);
            switch (random.nextInt(3)) {
                case 0 -> fire(random.nextInt(4), random.nextInt(4));
                case 1 -> cluster.settle(1);
                default -> submit(random.nextInt(4), random.nextInt(SESSIONS));
            }
            cluster.run();
        }

        assertThat(cluster.nodes).anyMatch(node -> node.replica.view() > 2);
        for (int replica = 0; replica < 4; replica++) {
            compare(replica);
        }
    }

    private void stopEngines() {
        cluster.node(2).isExecuting = false;
        cluster.node(3).isExecuting = false;
    }

    /** The next batch of a session comes to all. */
    private void submit(int session) {
        for (int replica = 0; replica < 4; replica++) {
            submit(replica, session);
        }
    }

    private void submit(int replica, int session) {
        cluster.input(replica, available(session, ++held[replica][session]));
    }

    private static Input.BatchAvailable available(int session, int number) {
        return new Input.BatchAvailable(
                new SessionEnd(SessionKey.of(1, session), number, id(session, number)),
                number == 1 ? Digest.ZERO : id(session, number - 1));
    }

    private static Digest id(int session, int number) {
        return Digest.sha256((session + ":" + number).getBytes(StandardCharsets.UTF_8));
    }

    /** Has replicas suspect the view if they wait for something in it. */
    private void fire(int... replicas) {
        for (int replica : replicas) {
            cluster.fire(replica, cluster.replica(replica).isViewActive() ? Timer.REQUEST : Timer.VIEW_CHANGE);
        }
    }

    private void lose(SplittableRandom random) {
        int deaf = random.nextInt(4);
        int votesLost = random.nextInt(3);
        SplittableRandom ofMessages = random.split();
        cluster.link = (from, to, message) -> {
            boolean isVote = message instanceof Prepare || message instanceof Commit || message instanceof PrePrepare;
            return !isVote || to != deaf && ofMessages.nextInt(4) >= votesLost;
        };
    }

    private void compare(int replica) {
        List<Output> withAll = lifeAfterRestart(replica, cluster.node(replica).records);
        List<Output> withLog = lifeAfterRestart(replica, restoredRecords(replica));

        assertThat(withAll)
                .anyMatch(output -> output instanceof Output.Broadcast said && said.message() instanceof ViewChange);
        assertThat(withLog).isEqualTo(withAll);
    }

    /** Returns what a log holds after it took each record and was opened again. */
    private List<ReplicaRecord> restoredRecords(int replica) {
        Path files = directory.resolve(
                "log" + replica + "." + cluster.node(replica).records.size());
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(files), Durability.PROCESS, SEGMENT_LENGTH)) {
            for (ReplicaRecord record : cluster.node(replica).records) {
                log.append(record);
                if (record instanceof ReplicaRecord.Stable stable) {
                    log.truncateBelow(stable.certificate().sequence());
                }
            }
        }
        try (ReplicaLog log = ReplicaLog.open(FileStorage.open(files), Durability.PROCESS, SEGMENT_LENGTH)) {
            return log.records();
        }
    }

    /**
     * Returns what a restored replica says: at its start; to proposals that contradict what it may have voted for, of
     * each view up to its own; when each session is withdrawn; when it leaves its view.
     */
    private List<Output> lifeAfterRestart(int i, List<ReplicaRecord> records) {
        TestCluster.Node node = cluster.node(i);
        List<Output> outputs = new ArrayList<>();
        Replica replica = new Replica(node.config, TestCluster.signerOf(i));
        replica.restore(
                records,
                node.delivered.size(),
                sequence -> TestCluster.chainHash(node.delivered.get((int) sequence - 1)),
                List.of());
        node.delivered.forEach(proposal -> replica.step(
                new Input.BlockTransferred(proposal.sequence(), proposal.digest(), proposal.ends()), outputs));
        for (int session = 0; session < SESSIONS; session++) {
            long delivered = deliveredOf(node, SessionKey.of(1, session));
            for (int number = (int) delivered + 1; number <= held[i][session]; number++) {
                replica.step(available(session, number), outputs);
            }
        }
        replica.start(outputs);
        for (long view = 0; view <= replica.view(); view++) {
            for (long sequence = 1; sequence <= WINDOW; sequence++) {
                replica.step(new Input.Received(contradiction(view, sequence)), outputs);
            }
        }
        for (int session = 0; session < SESSIONS; session++) {
            replica.step(new Input.SessionWithdrawn(SessionKey.of(1, session)), outputs);
        }
        for (int other = 0; other < 4; other++) {
            if (other != i) {
                replica.step(new Input.Received(TestCluster.suspicion(replica.view(), other)), outputs);
            }
        }
        return outputs;
    }

    private static long deliveredOf(TestCluster.Node node, long sessionKey) {
        return node.delivered.stream()
                .flatMap(proposal -> proposal.ends().stream())
                .filter(end -> end.sessionKey() == sessionKey)
                .mapToLong(SessionEnd::number)
                .max()
                .orElse(0);
    }

    private PrePrepare contradiction(long view, long sequence) {
        Proposal other = new Proposal(
                view, sequence, cluster.nowNs, Digest.ZERO, List.of(TestCluster.batch(500 + (int) sequence)));
        int primary = (int) (view % 4);
        byte[] signed = PrePrepare.signedBytes(TestCluster.EPOCH, view, sequence, other.digest(), primary);
        return new PrePrepare(
                view,
                sequence,
                other,
                primary,
                Signature.of(TestCluster.signerOf(primary).sign(signed)));
    }
}
