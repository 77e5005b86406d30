package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.sealbook.access.HolderQuota;
import io.sealbook.access.ReadLimit;
import io.sealbook.archive.BlockSource;
import io.sealbook.consensus.config.FeedConfig;
import io.sealbook.protocol.v1.BlockFeedGrpc;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.FollowBlocksRequest;
import java.util.Map;
import java.util.Set;

/** Committed blocks with what proves them, for followers. Runs on event loops and only hands streams on. */
public final class BlockFeedService extends BlockFeedGrpc.BlockFeedImplBase {
    private final BlockSource archive;
    private final HeadSource heads;
    private final Followers followers;

    /**
     * @param archive holds the certificates
     * @param heads called by the followers' thread
     * @param followers serves the streams
     */
    public BlockFeedService(BlockSource archive, HeadSource heads, Followers followers) {
        this.archive = archive;
        this.heads = heads;
        this.followers = followers;
    }

    /** Returns this service with the limits of its calls. */
    public LimitedService limited(FeedConfig limits) {
        return new LimitedService(
                () -> ServerInterceptors.intercept(this, new EarlyHeaders()),
                Set.of(),
                Set.of(),
                Map.of(
                        BlockFeedGrpc.getFollowBlocksMethod(),
                        new HolderQuota(limits.streamsMax(), limits.streamsPerAddress())));
    }

    @Override
    public void followBlocks(FollowBlocksRequest request, StreamObserver<FeedItem> items) {
        if (!request.getGenesisDigest()
                .equals(ByteString.copyFrom(archive.genesisDigest().bytes()))) {
            items.onError(Status.FAILED_PRECONDITION
                    .withDescription("the genesis file here is another one")
                    .asRuntimeException());
            return;
        }
        if (!request.getHeadsOnly() && (request.getFromBlock() < 1 || request.getCertificatesAfter() < 0)) {
            items.onError(Status.INVALID_ARGUMENT
                    .withDescription("blocks begin with 1, not " + request.getFromBlock())
                    .asRuntimeException());
            return;
        }
        ServerCallStreamObserver<FeedItem> stream = (ServerCallStreamObserver<FeedItem>) items;
        long first = request.getHeadsOnly() ? FeedFollower.HEADS_ONLY : request.getFromBlock();
        followers.add(
                ReadLimit.HOLDER.get(),
                new FeedFollower(first, request.getCertificatesAfter(), archive, heads, stream));
    }
}
