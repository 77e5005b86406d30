package io.sealbook.consensus;

import com.google.protobuf.ByteString;
import io.grpc.stub.StreamObserver;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.BatchReceipt;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.SubmitReplies;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitRequest;
import io.sealbook.protocol.v1.SubmitRequests;
import io.sealbook.protocol.v1.SubmitStatus;
import io.sealbook.vocabulary.BatchId;
import io.sealbook.vocabulary.Digest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that {@link JointCrashIT} kills: four nodes, their engines, and two brokers under load. It tells facts on
 * standard output, each in a line that begins with {@code FACT}, and takes commands from standard input:
 *
 * <pre>
 *   stop-primary   closes the node that is primary           FACT stopped I
 *   start          starts the closed node again              FACT started I
 *   drain          ends the load, waits until all nodes      FACT drained
 *                  have every acknowledged batch in a block,
 *                  closes them and ends
 * </pre>
 *
 * {@code FACT fresh N} says that N batches of this life are in blocks of every running node. The ledger is a file of
 * one line for each acknowledged batch, written before the broker goes on.
 */
final class CrashHost {
    private static final int NODES = CrashSessions.NODES;
    private static final int UNANSWERED_MAX = 8;
    private static final long PACE_NS = 500_000;
    private static final long LOOK_NS = 20_000_000;
    private static final long REST_NS = 500_000_000;

    private final TestCluster cluster;
    private final OutputStream ledger;
    private final Random random;
    private final List<TestBroker> brokers;
    private final Set<Digest> acknowledged = ConcurrentHashMap.newKeySet();
    private final Set<Digest> sent = ConcurrentHashMap.newKeySet();
    /** For each node what its receipts named, and how many of those were sent in this life. */
    private final List<Set<Digest>> committed = new ArrayList<>();

    private final AtomicInteger[] fresh = new AtomicInteger[NODES];
    private final Lane[][] lanes;
    private volatile boolean isLoaded = true;

    private CrashHost(Path directory, int life, CrashSessions sessions) throws Exception {
        Path file = directory.resolve("ledger");
        if (Files.exists(file)) {
            Files.readAllLines(file)
                    .forEach(id -> acknowledged.add(Digest.of(HexFormat.of().parseHex(id))));
        }
        ledger = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        random = new Random(life);
        cluster = TestCluster.open(directory, () -> {});
        brokers = List.of(cluster.broker(1), cluster.broker(2));
        lanes = new Lane[brokers.size()][NODES];
        for (int node = 0; node < NODES; node++) {
            committed.add(ConcurrentHashMap.newKeySet());
            fresh[node] = new AtomicInteger();
        }
        for (int node = 0; node < NODES; node++) {
            for (int broker = 0; broker < brokers.size(); broker++) {
                lanes[broker][node] = new Lane(node, sessions.first(life, node), sessions.ofLane());
                new ReceiptReader(node, broker + 1).follow();
            }
        }
    }

    /** @param arguments directory of the cluster, number of this life, rounds of the test */
    public static void main(String[] arguments) throws Exception {
        CrashSessions sessions = new CrashSessions(Integer.parseInt(arguments[2]));
        CrashHost host = new CrashHost(Path.of(arguments[0]), Integer.parseInt(arguments[1]), sessions);
        Thread.ofPlatform().daemon().name("load").start(host::load);
        Thread.ofPlatform().daemon().name("facts").start(host::tellProgress);
        host.obey(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        System.exit(0);
    }

    private static void tell(String fact) {
        System.out.println("FACT " + fact);
        System.out.flush();
    }

    private void obey(BufferedReader commands) throws Exception {
        int stopped = -1;
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            switch (command) {
                case "stop-primary" -> {
                    stopped = cluster.primary();
                    cluster.kill(stopped);
                    tell("stopped " + stopped);
                }
                case "start" -> {
                    cluster.startNode(stopped);
                    tell("started " + stopped);
                }
                case "drain" -> {
                    drain();
                    return;
                }
                default -> throw new IllegalArgumentException(command);
            }
        }
    }

    private void drain() throws Exception {
        isLoaded = false;
        Facts.await(
                "every acknowledged batch committed",
                () -> committed.stream().allMatch(blocks -> blocks.containsAll(acknowledged)));
        cluster.assertEqualChains();
        cluster.stop();
        tell("drained");
    }

    private void tellProgress() {
        int told = 0;
        long view = -1;
        while (true) {
            LockSupport.parkNanos(LOOK_NS);
            int common = Integer.MAX_VALUE;
            long highest = view;
            for (int node = 0; node < NODES; node++) {
                ConsensusNode running = cluster.node(node);
                if (running != null) {
                    common = Math.min(common, fresh[node].get());
                    highest = Math.max(highest, running.state().agreement().view());
                }
            }
            if (common > told) {
                told = common;
                tell("fresh " + common);
            }
            if (highest > view) {
                view = highest;
                tell("view " + view);
            }
        }
    }

    private void load() {
        while (isLoaded) {
            int broker = random.nextInt(brokers.size());
            Lane lane = lanes[broker][random.nextInt(NODES)];
            if (cluster.node(lane.node) != null && lane.hasRoom()) {
                int orders = 1 + random.nextInt(3);
                long validUntil = cluster.node(lane.node).state().lastBlock().sequence() + 5_000;
                int session = lane.session();
                byte[] batch = brokers.get(broker).batch(fields -> {
                    fields.session = session;
                    fields.orderCount = orders;
                    fields.validUntilBlock = validUntil;
                });
                sent.add(BatchId.of(batch));
                lane.send(batch, session);
            }
            LockSupport.parkNanos(PACE_NS);
        }
    }

    private synchronized void acknowledge(Digest batchId) {
        try {
            ledger.write((HexFormat.of().formatHex(batchId.bytes()) + "\n").getBytes(StandardCharsets.US_ASCII));
            acknowledged.add(batchId);
        } catch (IOException e) {
            throw new IllegalStateException("ledger", e);
        }
    }

    /** A broker's stream to one node; opened again when the node comes back. */
    private final class Lane implements StreamObserver<SubmitReplies> {
        private final int node;
        private StreamObserver<SubmitRequests> stream;
        private final int sessionsEnd;
        private int unanswered;
        /** A new one after each batch that may not have been taken: its followers would leave a gap. */
        private int session;

        private long restsUntilNs = System.nanoTime();

        /** The sessions are those of {@link CrashSessions}. */
        Lane(int node, int firstSession, int sessions) {
            this.node = node;
            this.session = firstSession;
            this.sessionsEnd = firstSession + sessions;
        }

        synchronized boolean hasRoom() {
            return unanswered < UNANSWERED_MAX && session < sessionsEnd && System.nanoTime() - restsUntilNs >= 0;
        }

        synchronized int session() {
            return session;
        }

        /** Leaves a session, and the node alone for a while: one that stops refuses everything. */
        private void leave(long spoiled) {
            if (spoiled == session) {
                session++;
                restsUntilNs = System.nanoTime() + REST_NS;
            }
        }

        synchronized void send(byte[] batch, int sessionOfBatch) {
            if (stream == null) {
                stream = cluster.asyncGateway(node).submit(this);
            }
            unanswered++;
            stream.onNext(SubmitRequests.newBuilder()
                    .addRequests(SubmitRequest.newBuilder()
                            .setCorrelationId(sessionOfBatch)
                            .setSignedBatch(ByteString.copyFrom(batch)))
                    .build());
        }

        @Override
        public synchronized void onNext(SubmitReplies message) {
            for (SubmitReply reply : message.getRepliesList()) {
                unanswered--;
                if (reply.getStatus() == SubmitStatus.ACCEPTED) {
                    acknowledge(Digest.of(reply.getBatchId().toByteArray()));
                } else {
                    leave(reply.getCorrelationId());
                }
            }
        }

        @Override
        public synchronized void onError(Throwable reason) {
            stream = null;
            unanswered = 0;
            leave(session);
        }

        @Override
        public void onCompleted() {
            onError(null);
        }
    }

    /** Follows one broker's receipts at one node from the first block on. */
    private final class ReceiptReader implements StreamObserver<BlockReceipts> {
        private final int node;
        private final int brokerId;
        private long next = 1;

        ReceiptReader(int node, int brokerId) {
            this.node = node;
            this.brokerId = brokerId;
        }

        void follow() {
            cluster.asyncGateway(node)
                    .followReceipts(
                            FollowReceiptsRequest.newBuilder()
                                    .setBrokerId(brokerId)
                                    .setFromBlock(next)
                                    .build(),
                            this);
        }

        @Override
        public void onNext(BlockReceipts receipts) {
            for (BatchReceipt receipt : receipts.getBatchesList()) {
                Digest id = Digest.of(receipt.getBatchId().toByteArray());
                if (committed.get(node).add(id) && sent.contains(id)) {
                    fresh[node].incrementAndGet();
                }
            }
            next = receipts.getBlockSequence() + 1;
        }

        @Override
        public void onError(Throwable reason) {
            Thread.ofVirtual().start(this::followAgain);
        }

        @Override
        public void onCompleted() {
            onError(null);
        }

        private void followAgain() {
            LockSupport.parkNanos(LOOK_NS);
            try {
                Facts.await("the start of node " + node, () -> cluster.node(node) != null);
            } catch (Exception e) {
                throw new IllegalStateException("receipts of node " + node + " are not followed", e);
            }
            follow();
        }
    }
}
