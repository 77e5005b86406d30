package io.sealbook.pbft;

import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Checkpoint;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Proposal;
import io.sealbook.pbft.message.SessionEnd;
import io.sealbook.pbft.message.Signature;
import io.sealbook.pbft.message.Suspicion;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SessionKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Replicas joined by queues, nothing else: messages arrive in the order sent and take no time, none is lost unless a
 * test says so, and a fetched payload comes at once. Timers fire when a test fires them or advances the clock. Executes
 * a block by hashing it.
 */
final class TestCluster {
    static final long CHAIN_ID = 7;
    static final Epoch EPOCH = Epoch.first(CHAIN_ID);
    static final long MS = 1_000_000L;
    private static final long NEVER = Long.MAX_VALUE;

    /** A replica with what its shell would keep. */
    static final class Node {
        final ReplicaConfig config;
        Replica replica;
        boolean isUp = true;
        final List<Output> outputs = new ArrayList<>();
        final List<Proposal> delivered = new ArrayList<>();
        final List<ReplicaRecord> records = new ArrayList<>();
        final List<Output> said = new ArrayList<>();
        long executed;
        Digest result = Digest.ZERO;
        boolean isExecuting = true;
        /** When each timer fires, by ordinal; {@link #NEVER} if it does not run. */
        private final long[] deadlines = new long[Timer.values().length];

        Node(ReplicaConfig config) {
            this.config = config;
            replica = new Replica(config, signerOf(config.replicaId()));
            Arrays.fill(deadlines, NEVER);
        }

        int id() {
            return config.replicaId();
        }

        <T extends Message> List<T> sent(Class<T> type) {
            List<T> messages = new ArrayList<>();
            for (Output output : said) {
                Message message = switch (output) {
                    case Output.Broadcast broadcast -> broadcast.message();
                    case Output.Send send -> send.message();
                    default -> null;
                };
                if (type.isInstance(message)) {
                    messages.add(type.cast(message));
                }
            }
            return messages;
        }

        <T extends Output> List<T> said(Class<T> type) {
            return said.stream().filter(type::isInstance).map(type::cast).toList();
        }

        List<IgnoreReason> ignored() {
            return said(Output.Ignored.class).stream()
                    .map(Output.Ignored::reason)
                    .toList();
        }

        boolean isTimerRunning(Timer timer) {
            return deadlines[timer.ordinal()] != NEVER;
        }
    }

    private record Envelope(int from, int to, Message message) {}

    final List<Node> nodes = new ArrayList<>();
    final ArrayDeque<Envelope> network = new ArrayDeque<>();
    /** Which messages get through, by (from, to, message). */
    interface Link {
        boolean passes(int from, int to, Message message);
    }

    Link link = (from, to, message) -> true;
    long nowNs = 1_000_000 * MS;
    private int batchCount;
    private final List<SessionEnd> submitted = new ArrayList<>();

    TestCluster(int replicaCount) {
        this(replicaCount, builder -> builder);
    }

    TestCluster(int replicaCount, UnaryOperator<ReplicaConfig.Builder> settings) {
        for (int i = 0; i < replicaCount; i++) {
            ReplicaConfig.Builder builder = ReplicaConfig.builder(i, replicaCount, CHAIN_ID)
                    .windows(8, 4, 16)
                    .fetchDelayNs(0);
            nodes.add(new Node(settings.apply(builder).build()));
        }
        for (Node node : nodes) {
            node.replica.start(node.outputs);
            carryOut(node);
        }
        run();
    }

    static MessageSigner signerOf(int replica) {
        return signedBytes -> Digest.sha256(("key of " + replica).getBytes(StandardCharsets.UTF_8), signedBytes)
                .bytes();
    }

    /** Returns what a replica signs that is in the wrong about the block, and perhaps about the result. */
    static Checkpoint checkpoint(long sequence, Digest result, int sender) {
        Digest chainHash = batchId(1_000);
        Digest proposal = batchId(1_001);
        return new Checkpoint(
                sequence,
                chainHash,
                result,
                proposal,
                sender,
                Signature.of(signerOf(sender)
                        .sign(Checkpoint.signedBytes(CHAIN_ID, sequence, chainHash, result, proposal))));
    }

    /** Submits batches one after another, each for a block. */
    void deliver(int blocks) {
        for (int i = 0; i < blocks; i++) {
            submit();
            run();
        }
    }

    static boolean isGenuine(Message message) {
        return isGenuine(message, EPOCH);
    }

    static boolean isGenuine(Message message, Epoch epoch) {
        boolean[] isGenuine = {true};
        message.forEachSignature(
                epoch,
                (replica, signedBytes, signature) ->
                        isGenuine[0] &= Arrays.equals(signerOf(replica).sign(signedBytes), signature));
        return isGenuine[0];
    }

    Node node(int i) {
        return nodes.get(i);
    }

    Replica replica(int i) {
        return nodes.get(i).replica;
    }

    static Digest batchId(int number) {
        return Digest.sha256(("batch " + number).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a batch: the only one of its session of broker 1. */
    static SessionEnd batch(int number) {
        return new SessionEnd(SessionKey.of(1, number), 1, batchId(number));
    }

    /** A batch that is available everywhere; returns it. */
    SessionEnd submit() {
        return submit(i -> true);
    }

    /** A batch with an administrative transaction, available everywhere. */
    SessionEnd submitAdministration() {
        int number = batchCount++;
        return submit(
                new SessionEnd(SessionKey.of(SessionKey.ADMINISTRATION, number), 1, batchId(number)), node -> true);
    }

    /** A batch that is available to some replicas only. */
    SessionEnd submit(Predicate<Integer> holders) {
        return submit(batch(batchCount++), holders);
    }

    private SessionEnd submit(SessionEnd batch, Predicate<Integer> holders) {
        for (Node node : nodes) {
            if (holders.test(node.id())) {
                available(node.id(), batch);
            }
        }
        submitted.add(batch);
        return batch;
    }

    /**
     * Makes the only batch of a session available.
     *
     * @param node that has it now
     * @param batch number 1 of its session
     */
    void available(int node, SessionEnd batch) {
        input(node, new Input.BatchAvailable(batch, Digest.ZERO));
    }

    void input(int i, Input input) {
        Node node = nodes.get(i);
        if (!node.isUp) {
            return;
        }
        node.replica.step(new Input.Clock(nowNs), node.outputs);
        node.replica.step(input, node.outputs);
        node.replica.step(new Input.Clock(nowNs), node.outputs);
        carryOut(node);
    }

    void fire(int node, Timer timer) {
        nodes.get(node).deadlines[timer.ordinal()] = NEVER;
        input(node, new Input.TimerFired(timer));
    }

    /** Has a replica leave its view: f others suspect it, too, and nobody hears of that replica meanwhile. */
    void leaveAlone(int leaver) {
        Link before = link;
        link = (from, to, message) -> from != leaver && before.passes(from, to, message);
        long view = replica(leaver).view();
        nodes.stream()
                .filter(node ->
                        node.id() != leaver && node.id() != replica(leaver).primary())
                .limit(Quorum.of(nodes.size()).faultyMax())
                .forEach(node -> receive(leaver, suspicion(view, node.id())));
        fire(leaver, Timer.REQUEST);
        link = before;
    }

    static Suspicion suspicion(long view, int sender) {
        byte[] signedBytes = Suspicion.signedBytes(EPOCH, view, sender);
        return new Suspicion(view, sender, Signature.of(signerOf(sender).sign(signedBytes)));
    }

    /** Lets time pass: timers fire when they are due, and every message arrives at once. */
    void advance(long durationNs) {
        long endNs = nowNs + durationNs;
        run();
        while (fireNext(endNs)) {
            run();
        }
        nowNs = endNs;
    }

    private boolean fireNext(long endNs) {
        Node next = null;
        Timer timer = null;
        for (Node node : nodes) {
            for (Timer candidate : Timer.values()) {
                long deadline = node.deadlines[candidate.ordinal()];
                if (node.isUp && deadline <= endNs && (next == null || deadline < next.deadlines[timer.ordinal()])) {
                    next = node;
                    timer = candidate;
                }
            }
        }
        if (next != null) {
            nowNs = Math.max(nowNs, next.deadlines[timer.ordinal()]);
            fire(next.id(), timer);
        }
        return next != null;
    }

    void receive(int node, Message message) {
        input(node, new Input.Received(message));
    }

    /** Fires every replica's STATUS timer and lets the answers flow, several times. */
    void settle(int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (Node node : nodes) {
                fire(node.id(), Timer.STATUS);
            }
            run();
        }
    }

    /** Lets every message arrive. */
    void run() {
        run(envelope -> {});
    }

    private void run(Consumer<Envelope> observer) {
        while (!network.isEmpty()) {
            Envelope envelope = network.poll();
            observer.accept(envelope);
            input(envelope.to, new Input.Received(envelope.message));
        }
    }

    private void carryOut(Node node) {
        List<Output> outputs = List.copyOf(node.outputs);
        node.outputs.clear();
        node.said.addAll(outputs);
        for (Output output : outputs) {
            switch (output) {
                case Output.Persist persist -> node.records.add(persist.record());
                case Output.Send send -> post(node.id(), send.to(), send.message());
                case Output.Broadcast broadcast ->
                    nodes.stream()
                            .filter(to -> to != node)
                            .forEach(to -> post(node.id(), to.id(), broadcast.message()));
                case Output.DoubleVoted voted ->
                    voted.messages()
                            .forEach(message -> nodes.stream()
                                    .filter(to -> to != node)
                                    .forEach(to -> post(node.id(), to.id(), message)));
                case Output.Deliver deliver -> node.delivered.add(deliver.proposal());
                case Output.StartTimer start -> node.deadlines[start.timer().ordinal()] = nowNs + start.delayNs();
                case Output.StopTimer stop -> node.deadlines[stop.timer().ordinal()] = NEVER;
                default -> {}
            }
        }
        outputs.stream()
                .filter(Output.Fetch.class::isInstance)
                .flatMap(output -> ((Output.Fetch) output).ranges().stream())
                .map(BatchRange::last)
                .filter(submitted::contains)
                .forEach(batch -> available(node.id(), batch));
        execute(node);
    }

    private void post(int from, int to, Message message) {
        if (!isGenuine(message, nodes.get(from).config.epoch())) {
            throw new AssertionError("a signature does not verify: " + message);
        }
        if (nodes.get(from).isUp && link.passes(from, to, message)) {
            network.add(new Envelope(from, to, message));
        }
    }

    /** Executes what was delivered and is not yet executed. */
    void execute(Node node) {
        while (node.isExecuting && node.executed < node.delivered.size()) {
            Proposal proposal = node.delivered.get((int) node.executed);
            node.executed++;
            node.result = Digest.sha256(node.result.bytes(), proposal.digest().bytes());
            node.replica.step(new Input.Executed(proposal.sequence(), chainHash(proposal), node.result), node.outputs);
            if (!node.outputs.isEmpty()) {
                carryOut(node);
            }
        }
    }

    /** Returns what stands for the hash of the block's header. */
    static Digest chainHash(Proposal proposal) {
        return Digest.sha256(
                "block".getBytes(StandardCharsets.UTF_8), proposal.digest().bytes());
    }

    void crash(int i) {
        nodes.get(i).isUp = false;
        network.removeIf(envelope -> envelope.to == i);
    }

    /** Starts a replica from its records and its chain, with no payload in memory. */
    void restart(int i) {
        Node node = nodes.get(i);
        node.isUp = true;
        node.replica = new Replica(node.config, signerOf(i));
        node.outputs.clear();
        node.said.clear();
        Arrays.fill(node.deadlines, NEVER);
        node.replica.restore(
                List.copyOf(node.records),
                node.delivered.size(),
                sequence -> chainHash(node.delivered.get((int) sequence - 1)),
                List.of());
        node.delivered.forEach(proposal -> node.replica.step(
                new Input.BlockTransferred(proposal.sequence(), proposal.digest(), proposal.ends()), node.outputs));
        node.replica.start(node.outputs);
        node.executed = 0;
        node.result = Digest.ZERO;
        carryOut(node);
    }
}
