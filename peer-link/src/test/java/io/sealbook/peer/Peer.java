package io.sealbook.peer;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.sealbook.crypto.Signer;
import io.sealbook.pbft.message.BatchRange;
import io.sealbook.pbft.message.Commit;
import io.sealbook.pbft.message.Message;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.peer.loop.EventLoops;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** One node's transport under test, with what it has received. */
final class Peer implements AutoCloseable, PeerHandler {

    final int id;
    final Members members;
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final PeerTransport transport;
    private final Optional<EventLoopGroup> loop;
    final Queue<Message> votes = new ConcurrentLinkedQueue<>();
    final Queue<byte[]> batches = new ConcurrentLinkedQueue<>();
    final Queue<Digest> batchIds = new ConcurrentLinkedQueue<>();
    final Queue<List<BatchRange>> batchRequests = new ConcurrentLinkedQueue<>();
    final Queue<Long> blockRequests = new ConcurrentLinkedQueue<>();
    final Queue<List<byte[]>> blocks = new ConcurrentLinkedQueue<>();
    final Map<Integer, Integer> epochs = new ConcurrentHashMap<>();
    final Queue<Long> heard = new ConcurrentLinkedQueue<>();
    final Set<Integer> identityRefusedBy = ConcurrentHashMap.newKeySet();
    volatile long linked;
    /** Thrown one after the other in place of taking a report. */
    final Queue<RuntimeException> hearingFailures = new ConcurrentLinkedQueue<>();

    final AtomicInteger wakeups = new AtomicInteger();

    Peer(Members members, PeerConfig config) throws IOException {
        this(members, config, Optional.empty());
    }

    private Peer(Members members, PeerConfig config, Optional<EventLoopGroup> loop) throws IOException {
        this.id = config.nodeId();
        this.members = members;
        this.loop = loop;
        this.transport = loop.map(shared -> new PeerTransport(config, this, registry, shared))
                .orElseGet(() -> new PeerTransport(config, this, registry));
        transport.inbox().setWakeup(wakeups::incrementAndGet);
        transport.start();
    }

    /** Starts one whose connections share an event loop that outlives them. */
    static Peer onOneLoop(Members members, PeerConfig config) throws IOException {
        return new Peer(members, config, Optional.of(EventLoops.open(1, "loop-" + config.nodeId())));
    }

    static Peer start(Members members, int id) throws IOException {
        return new Peer(members, members.config(id, PeerConfig.Offload.EVENT_LOOP, PeerLimits.DEFAULTS));
    }

    /** Has the event loop of one on one loop stand still until the task ends. */
    void occupyLoop(Runnable task) {
        loop.orElseThrow().execute(task);
    }

    /** Returns whether the last five reports together name exactly these peers: beats of others drift through them. */
    boolean hears(long peers) {
        List<Long> reports = List.copyOf(heard);
        return reports.size() >= 5
                && peers
                        == reports.subList(reports.size() - 5, reports.size()).stream()
                                .reduce(0L, (a, b) -> a | b);
    }

    /** Takes what waits in the inbox; the calling thread plays the agent. */
    int drain() {
        return transport.inbox().drain(votes::add, Integer.MAX_VALUE);
    }

    Commit commit(long sequence) {
        return new Commit(0, sequence, Digest.sha256(new byte[] {(byte) sequence}), id);
    }

    Prepare prepare(long sequence) {
        return prepare(sequence, members.signers.get(id));
    }

    Prepare prepare(long sequence, Signer signer) {
        Digest digest = Digest.sha256(new byte[] {(byte) sequence});
        byte[] signature = signer.sign(Prepare.signedBytes(Members.EPOCH, 0, sequence, digest, id));
        return new Prepare(0, sequence, digest, id, Signature.of(signature));
    }

    double count(String name, String... tags) {
        return registry.find(name).tags(tags).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    @Override
    public void onPayload(int source, Digest batchId, byte[] signedBatch) {
        batchIds.add(batchId);
        batches.add(signedBatch);
    }

    @Override
    public void onBatchRequest(int source, List<BatchRange> ranges) {
        batchRequests.add(ranges);
    }

    @Override
    public void onBlockRequest(int source, long from, int count) {
        blockRequests.add(from);
    }

    @Override
    public void onBlocks(int source, long from, List<byte[]> received, byte[] certificateOrNull) {
        blocks.add(received);
    }

    @Override
    public void onConnected(int peer, int epoch) {
        epochs.put(peer, epoch);
    }

    @Override
    public void onLaggard(int peer, int epoch) {
        // Peers of the tests are of one epoch.
    }

    @Override
    public void onIdentityRefused(int peer) {
        identityRefusedBy.add(peer);
    }

    @Override
    public void onHeard(long peers, long connected) {
        RuntimeException failure = hearingFailures.poll();
        if (failure != null) {
            throw failure;
        }
        heard.add(peers);
        linked = connected;
    }

    @Override
    public void onDisconnected(int peer) {
        // The tests ask connected().
    }

    @Override
    public void close() {
        transport.close();
        loop.ifPresent(EventLoopGroup::shutdownGracefully);
    }
}
