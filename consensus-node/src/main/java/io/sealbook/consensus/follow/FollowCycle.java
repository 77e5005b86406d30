package io.sealbook.consensus.follow;

import io.grpc.Status;
import io.sealbook.archive.Block;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.consensus.agent.DutyCycle;
import io.sealbook.node.follow.FollowedChain;
import io.sealbook.node.follow.MemberHead;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.SignedHead;
import io.sealbook.vocabulary.Digest;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Takes what sources send, stores what is confirmed, and chooses the source of blocks. One thread. */
final class FollowCycle extends DutyCycle implements AutoCloseable {
    private static final int ITEMS_PER_CYCLE = 64;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FollowedChain chain;
    private final FollowerStore store;
    private final SourceAddresses named;
    private final SourceBoard sources;
    private final SourceProgress progress;
    private final ConcurrentLinkedQueue<FeedCall.Arrival> inbox = new ConcurrentLinkedQueue<>();
    private volatile FollowerState state;
    private volatile List<MemberHead> heads = List.of();

    /**
     * @param chain begins after the stored blocks
     * @param store keeps what is confirmed
     * @param named the sources
     * @param progress judges the source of blocks
     */
    FollowCycle(FollowedChain chain, FollowerStore store, SourceAddresses named, SourceProgress progress) {
        this.chain = chain;
        this.store = store;
        this.named = named;
        this.progress = progress;
        this.sources = new SourceBoard(named, store.archive().genesisDigest(), this::arrived);
        publish();
    }

    /** Takes an arrival; at most a few of each stream wait, because no more were requested. */
    private void arrived(FeedCall.Arrival arrival) {
        inbox.add(arrival);
        wakeUp();
    }

    FollowerState state() {
        return state;
    }

    /** Returns the newest head of each member, for further followers. */
    List<MemberHead> heads() {
        return heads;
    }

    @Override
    public boolean hasWork() {
        return !inbox.isEmpty();
    }

    @Override
    public long idleNs() {
        return IDLE_NS;
    }

    @Override
    public int doWork() {
        long nowNs = System.nanoTime();
        int done = 0;
        while (done < ITEMS_PER_CYCLE) {
            FeedCall.Arrival arrival = inbox.poll();
            if (arrival == null) {
                break;
            }
            done++;
            if (sources.isCurrent(arrival)) {
                take(arrival, nowNs);
            }
        }
        storeConfirmed();
        supervise(nowNs);
        publish();
        return done;
    }

    private void take(FeedCall.Arrival arrival, long nowNs) {
        if (arrival.item().isEmpty()) {
            end(arrival, nowNs);
            return;
        }
        FeedItem item = arrival.item().get();
        arrival.call().source().came(item);
        Optional<String> fault = switch (item.getItemCase()) {
            case BLOCK -> ofBlocks(arrival.call(), item);
            case CERTIFICATE -> ofBlocks(arrival.call(), item);
            case HEAD -> chain.onHead(head(item.getHead()));
            case ITEM_NOT_SET -> Optional.empty();
        };
        if (fault.isPresent() && sources.current() != null) {
            storeConfirmed();
            chain.restart();
            sources.exclude(fault.get());
        }
        if (sources.isCurrent(arrival)) {
            arrival.call().processed();
        }
    }

    /** An answer without a request is ignored. */
    private Optional<String> ofBlocks(FeedCall call, FeedItem item) {
        if (!call.hasBlocks()) {
            return Optional.empty();
        }
        return item.hasBlock()
                ? chain.onBlock(item.getBlock().getBlock().toByteArray())
                : chain.onCertificate(item.getCertificate().toByteArray());
    }

    private static MemberHead head(SignedHead head) {
        byte[] hash = head.getBlockHash().toByteArray();
        return new MemberHead(
                head.getNodeId(),
                head.getSequence(),
                hash.length == Digest.LENGTH ? Digest.of(hash) : Digest.ZERO,
                head.getSignature().toByteArray());
    }

    private void end(FeedCall.Arrival arrival, long nowNs) {
        boolean isOfBlocks = arrival.call().source() == sources.current();
        if (arrival.end().getCode() == Status.Code.FAILED_PRECONDITION && isOfBlocks) {
            chain.restart();
            sources.exclude(fact(arrival.end()));
            return;
        }
        sources.ended(arrival, nowNs);
        if (isOfBlocks) {
            chain.restart();
        }
    }

    /** A source need not say what is wrong. */
    private static String fact(Status end) {
        return end.getDescription() == null ? "ends with " + end.getCode() : end.getDescription();
    }

    private void storeConfirmed() {
        for (Block block = chain.pollBlock(); block != null; block = chain.pollBlock()) {
            store.append(block);
        }
        for (CheckpointCertificate certificate = chain.pollCertificate();
                certificate != null;
                certificate = chain.pollCertificate()) {
            store.put(certificate);
        }
    }

    private void supervise(long nowNs) {
        if (sources.follow(named.addresses().get(), nowNs)) {
            chain.restart();
        }
        if (sources.open(chain.nextSequence(), chain.certifiedEnd(), nowNs)) {
            progress.begin(nowNs);
        }
        if (sources.current() == null) {
            return;
        }
        progress.complaint(chain, sources.isAnswered(), nowNs).ifPresent(reason -> {
            chain.restart();
            sources.leave(reason, sources.size() == 1 ? nowNs : nowNs + progress.stallNs());
        });
    }

    private void publish() {
        FeedSource current = sources.current();
        heads = chain.newestHeads();
        state = new FollowerState(
                chain.confirmedEnd(),
                chain.certifiedEnd(),
                chain.knownHeight(),
                chain.heldCount(),
                sources.isAnswered() ? current.address() : "",
                chain.confirmedTerms(),
                sources.faults());
    }

    @Override
    public void close() {
        sources.close();
    }
}
