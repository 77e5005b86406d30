package io.sealbook.consensus.follow;

import io.grpc.CallCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.sealbook.archive.Block;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import io.sealbook.tls.endpoint.UnreachableChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One node, or another follower, from which blocks or heads come; at most one stream at a time. The follow thread alone
 * uses it.
 */
final class FeedSource implements AutoCloseable {
    private static final int MESSAGE_BYTES_MAX = Block.LENGTH_MAX + 1_024;
    private static final long RETRY_MIN_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RETRY_MAX_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long KEEP_ALIVE_S = 10;

    private final String address;
    private final ManagedChannel channel;
    private final Optional<CallCredentials> role;
    private final Consumer<FeedCall.Arrival> arrivals;
    private FeedCall call;
    private boolean isAnswered;
    private String fault = "";
    private long retryNs;
    private long retryDelayNs = RETRY_MIN_NS;

    /**
     * Connects when the first stream is opened.
     *
     * @param address HOST:PORT; streams from one of another form end at once
     * @param named has the credentials
     * @param nowNs monotonic clock
     * @param arrivals receives what comes; must not wait
     */
    FeedSource(String address, SourceAddresses named, long nowNs, Consumer<FeedCall.Arrival> arrivals) {
        this.address = address;
        this.arrivals = arrivals;
        this.role = named.role();
        this.retryNs = nowNs;
        this.channel = UnreachableChannel.unless(() -> NettyChannelBuilder.forTarget(address, named.credentials())
                .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                .keepAliveTime(KEEP_ALIVE_S, TimeUnit.SECONDS)
                .build());
    }

    String address() {
        return address;
    }

    /** Returns what this source sent that does not verify; empty if nothing. */
    String fault() {
        return fault;
    }

    boolean isFaulty() {
        return !fault.isEmpty();
    }

    /** Returns whether a stream may be opened now. */
    boolean isReady(long nowNs) {
        return !isFaulty() && nowNs - retryNs >= 0;
    }

    boolean isOpen() {
        return call != null;
    }

    /** Returns whether something came on the open stream: headers, or an item. */
    boolean isAnswered() {
        return isAnswered;
    }

    /** Returns whether the open stream, if there is one, is this call. */
    boolean isCurrent(FeedCall other) {
        return call == other;
    }

    /**
     * Opens a stream in place of the open one.
     *
     * @param request what is to come
     */
    void open(FollowBlocksRequest request) {
        close(Long.MIN_VALUE);
        call = new FeedCall(this, !request.getHeadsOnly(), arrivals);
        channel.resetConnectBackoff();
        BlockFeedGrpc.BlockFeedStub stub = BlockFeedGrpc.newStub(channel);
        role.map(stub::withCallCredentials).orElse(stub).withInterceptors(call).followBlocks(request, call);
    }

    /**
     * Notes that something came on the open stream.
     *
     * @param item after one with content and an end the next stream is opened soon
     */
    void came(FeedItem item) {
        isAnswered = true;
        if (item.getItemCase() != FeedItem.ItemCase.ITEM_NOT_SET) {
            retryDelayNs = RETRY_MIN_NS;
        }
    }

    /** Notes that the stream has ended; the next one may be opened after a delay that doubles each time. */
    void ended(long nowNs) {
        call = null;
        isAnswered = false;
        retryNs = nowNs + retryDelayNs;
        retryDelayNs = Math.min(2 * retryDelayNs, RETRY_MAX_NS);
    }

    /** Ends the stream because of something that does not verify; no further one is opened. */
    void faulty(String fact) {
        fault = fact;
        close(Long.MIN_VALUE);
    }

    /**
     * Ends the stream, if one is open.
     *
     * @param retryNs moment from which a new one may be opened; {@link Long#MIN_VALUE} leaves it as it is
     */
    void close(long retryNs) {
        if (call != null) {
            FeedCall open = call;
            call = null;
            open.cancel();
            if (!isAnswered) {
                // What accepted the connection may never answer: the next stream gets a new one.
                channel.enterIdle();
            }
            isAnswered = false;
        }
        if (retryNs != Long.MIN_VALUE) {
            this.retryNs = retryNs;
        }
    }

    @Override
    public void close() {
        close(Long.MIN_VALUE);
        channel.shutdownNow();
    }
}
