package io.sealbook.consensus.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.archive.BlockSource;
import io.sealbook.archive.CheckpointCertificate;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.follow.MemberHead;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.FeedItem;
import io.sealbook.protocol.v1.SignedHead;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Follows blocks with what proves them: each certificate after its block, and heads. With {@link #HEADS_ONLY} as its
 * first block it gets heads alone.
 */
final class FeedFollower extends CommitFollower<FeedItem> {
    /** A first block that no chain reaches. */
    static final long HEADS_ONLY = Long.MAX_VALUE;

    private final BlockSource archive;
    private final HeadSource heads;
    private final Map<Integer, Long> sentHeads = new HashMap<>();
    private long certifiedEnd;
    /** The certificate to send next; null while it is not known. */
    private CheckpointCertificate nextCertificate;

    /**
     * @param firstSequence the first block, or {@link #HEADS_ONLY}
     * @param certifiedEnd certificates up to this block are not sent
     * @param archive holds the certificates
     * @param heads newest heads
     * @param stream to the follower
     */
    FeedFollower(
            long firstSequence,
            long certifiedEnd,
            BlockSource archive,
            HeadSource heads,
            ServerCallStreamObserver<FeedItem> stream) {
        super(stream, firstSequence);
        this.certifiedEnd = certifiedEnd;
        this.archive = archive;
        this.heads = heads;
    }

    @Override
    long send(DecodedBlock block) {
        long sequence = block.header().sequence();
        sendCertificates(sequence - 1);
        stream.onNext(FeedItem.newBuilder()
                .setBlock(BlockData.newBuilder()
                        .setSequence(sequence)
                        .setBlock(UnsafeByteOperations.unsafeWrap(block.block().bytes())))
                .build());
        sendHeads(System.nanoTime());
        return block.block().length();
    }

    @Override
    void caughtUp(long lastSequence, long nowNanos) {
        if (nextSequence() != HEADS_ONLY) {
            sendCertificates(nextSequence() - 1);
        }
        sendHeads(nowNanos);
    }

    private void sendCertificates(long sentThrough) {
        while (isReady()) {
            if (nextCertificate == null) {
                Optional<CheckpointCertificate> found = archive.certificateAtOrAfter(certifiedEnd + 1);
                if (found.isEmpty()) {
                    return;
                }
                nextCertificate = found.get();
            }
            if (nextCertificate.sequence() > sentThrough) {
                return;
            }
            stream.onNext(FeedItem.newBuilder()
                    .setCertificate(UnsafeByteOperations.unsafeWrap(nextCertificate.encode()))
                    .build());
            certifiedEnd = nextCertificate.sequence();
            nextCertificate = null;
        }
    }

    private void sendHeads(long nowNs) {
        for (MemberHead head : heads.heads(nowNs)) {
            if (sentHeads.getOrDefault(head.nodeId(), 0L) < head.sequence()) {
                sentHeads.put(head.nodeId(), head.sequence());
                stream.onNext(FeedItem.newBuilder().setHead(message(head)).build());
            }
        }
    }

    private static SignedHead message(MemberHead head) {
        return SignedHead.newBuilder()
                .setNodeId(head.nodeId())
                .setSequence(head.sequence())
                .setBlockHash(ByteString.copyFrom(head.blockHash().bytes()))
                .setSignature(ByteString.copyFrom(head.signature()))
                .build();
    }
}
