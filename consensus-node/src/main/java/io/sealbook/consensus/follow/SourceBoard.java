package io.sealbook.consensus.follow;

import com.google.protobuf.ByteString;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import io.sealbook.vocabulary.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sources of a follower. Blocks come from one of them, heads from all. A source that ends, or does not come nearer
 * to the others, is followed by the next one in turn; one that sent what does not verify is not used any more. The
 * follow thread alone uses it.
 */
final class SourceBoard implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(SourceBoard.class);

    private final ByteString genesisDigest;
    private final SourceAddresses named;
    private final Consumer<FeedCall.Arrival> arrivals;
    private List<String> addresses = List.of();
    private List<FeedSource> sources = new ArrayList<>();
    /** The source of blocks; null if there is none. */
    private FeedSource current;

    private int nextIndex;

    /**
     * Has no source before {@link #follow}.
     *
     * @param named what sources are called with
     * @param genesisDigest of the chain
     * @param arrivals receives what comes; must not wait
     */
    SourceBoard(SourceAddresses named, Digest genesisDigest, Consumer<FeedCall.Arrival> arrivals) {
        this.genesisDigest = ByteString.copyFrom(genesisDigest.bytes());
        this.named = named;
        this.arrivals = arrivals;
    }

    /**
     * Has these sources, and no others. A source that stays is not disturbed.
     *
     * @param present their addresses in the order in which they are tried
     * @param nowNs monotonic clock
     * @return whether the source of blocks is none of them: what it sent and is not confirmed is to be forgotten
     */
    boolean follow(List<String> present, long nowNs) {
        if (present.equals(addresses)) {
            return false;
        }
        List<FeedSource> next = new ArrayList<>();
        for (String address : present) {
            next.add(sources.stream()
                    .filter(source -> source.address().equals(address))
                    .findFirst()
                    .orElseGet(() -> new FeedSource(address, named, nowNs, arrivals)));
        }
        sources.stream().filter(source -> !next.contains(source)).forEach(FeedSource::close);
        sources = next;
        addresses = List.copyOf(present);
        nextIndex = 0;
        if (current == null || next.contains(current)) {
            return false;
        }
        log.info("{} is no source any more", current.address());
        current = null;
        return true;
    }

    /** Returns the source of blocks; null if there is none. */
    FeedSource current() {
        return current;
    }

    /** Returns whether there is a source of blocks, and it has answered. */
    boolean isAnswered() {
        return current != null && current.isAnswered();
    }

    /** Returns whether an arrival is of an open stream; others came before it was closed. */
    boolean isCurrent(FeedCall.Arrival arrival) {
        return arrival.call().source().isCurrent(arrival.call());
    }

    /**
     * Opens what is not open: heads of every source, blocks of one.
     *
     * @param nextBlock the first block
     * @param certificatesAfter certificates up to this block are stored
     * @param nowNs monotonic clock
     * @return whether a new source of blocks was chosen
     */
    boolean open(long nextBlock, long certificatesAfter, long nowNs) {
        boolean isChosen = current == null && choose(nextBlock, certificatesAfter, nowNs);
        for (FeedSource source : sources) {
            if (!source.isOpen() && source.isReady(nowNs)) {
                source.open(request().setHeadsOnly(true).build());
            }
        }
        return isChosen;
    }

    private boolean choose(long nextBlock, long certificatesAfter, long nowNs) {
        for (int i = 0; i < sources.size(); i++) {
            FeedSource candidate = sources.get((nextIndex + i) % sources.size());
            if (candidate.isReady(nowNs)) {
                nextIndex = (nextIndex + i + 1) % sources.size();
                current = candidate;
                candidate.open(request()
                        .setFromBlock(nextBlock)
                        .setCertificatesAfter(certificatesAfter)
                        .build());
                log.info("blocks are requested from {}, beginning with block {}", candidate.address(), nextBlock);
                return true;
            }
        }
        return false;
    }

    private FollowBlocksRequest.Builder request() {
        return FollowBlocksRequest.newBuilder().setGenesisDigest(genesisDigest);
    }

    /**
     * Notes the end of a stream.
     *
     * @param arrival its end
     * @param nowNs monotonic clock
     */
    void ended(FeedCall.Arrival arrival, long nowNs) {
        FeedSource source = arrival.call().source();
        source.ended(nowNs);
        if (source == current) {
            log.warn("{} ended the stream of blocks: {}", source.address(), arrival.end());
            current = null;
        }
    }

    /**
     * Has another source send the blocks.
     *
     * @param reason for the log
     * @param retryNs moment from which the former source may send blocks again
     */
    void leave(String reason, long retryNs) {
        log.warn("{} is left: {}", current.address(), reason);
        current.close(retryNs);
        current = null;
    }

    /**
     * Excludes the source of blocks, which sent what does not verify.
     *
     * @param fact what is wrong
     * @throws FaultySourcesException if no source is left
     */
    void exclude(String fact) {
        log.error("{} sent what does not verify and is not used any more: {}", current.address(), fact);
        current.faulty(fact);
        current = null;
        if (sources.stream().allMatch(FeedSource::isFaulty)) {
            throw new FaultySourcesException(String.join("; ", faults()));
        }
    }

    /** Returns the excluded sources, each with the fact. */
    List<String> faults() {
        return sources.stream()
                .filter(FeedSource::isFaulty)
                .map(source -> source.address() + ": " + source.fault())
                .toList();
    }

    int size() {
        return sources.size();
    }

    @Override
    public void close() {
        sources.forEach(FeedSource::close);
    }
}
