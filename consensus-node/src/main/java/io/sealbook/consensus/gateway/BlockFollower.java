package io.sealbook.consensus.gateway;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.protocol.v1.BlockData;

/** Follows whole blocks, up to a last one or for ever. */
final class BlockFollower extends CommitFollower<BlockData> {
    private final long lastWanted;

    /** @param lastWanted 0 means for ever */
    BlockFollower(long firstSequence, long lastWanted, ServerCallStreamObserver<BlockData> stream) {
        super(stream, firstSequence);
        this.lastWanted = lastWanted;
    }

    @Override
    long send(DecodedBlock block) {
        stream.onNext(BlockData.newBuilder()
                .setSequence(block.header().sequence())
                .setBlock(UnsafeByteOperations.unsafeWrap(block.block().bytes()))
                .build());
        return block.block().length();
    }

    @Override
    boolean isDone() {
        if (lastWanted == 0 || nextSequence() <= lastWanted) {
            return false;
        }
        stream.onCompleted();
        return true;
    }
}
