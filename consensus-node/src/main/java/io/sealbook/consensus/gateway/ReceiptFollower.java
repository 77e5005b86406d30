package io.sealbook.consensus.gateway;

import com.google.protobuf.UnsafeByteOperations;
import io.grpc.stub.ServerCallStreamObserver;
import io.sealbook.node.block.BatchHeaders;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.protocol.v1.BatchReceipt;
import io.sealbook.protocol.v1.BlockReceipts;

/** Follows the receipts of one broker: one message for each block in which it has a batch. */
final class ReceiptFollower extends CommitFollower<BlockReceipts> {
    private static final long PROGRESS_INTERVAL_NS = 1_000_000_000L;

    private final int nodeId;
    private final int brokerId;
    private long progressSentNanos;
    private boolean hasSentProgress;

    ReceiptFollower(int nodeId, int brokerId, long firstSequence, ServerCallStreamObserver<BlockReceipts> stream) {
        super(stream, firstSequence);
        this.nodeId = nodeId;
        this.brokerId = brokerId;
    }

    @Override
    boolean takesWholeBlocks() {
        return false;
    }

    @Override
    long send(DecodedBlock block) {
        BlockReceipts.Builder receipts = null;
        BatchHeaders headers = block.headers();
        for (int i = 0; i < headers.count(); i++) {
            if (headers.brokerId(i) != brokerId) {
                continue;
            }
            if (receipts == null) {
                receipts = BlockReceipts.newBuilder()
                        .setNodeId(nodeId)
                        .setBlockSequence(block.header().sequence())
                        .setBlockTimeNs(block.header().blockTimeNs())
                        .setBlockHash(
                                UnsafeByteOperations.unsafeWrap(block.hash().bytes()));
            }
            receipts.addBatches(BatchReceipt.newBuilder()
                    .setBatchId(UnsafeByteOperations.unsafeWrap(block.batchId(i).bytes()))
                    .setBatchIndex(i));
        }
        if (receipts == null) {
            return 0;
        }
        BlockReceipts message = receipts.build();
        stream.onNext(message);
        return message.getSerializedSize();
    }

    @Override
    void caughtUp(long lastSequence, long nowNanos) {
        if (!hasSentProgress || nowNanos - progressSentNanos > PROGRESS_INTERVAL_NS) {
            hasSentProgress = true;
            progressSentNanos = nowNanos;
            stream.onNext(BlockReceipts.newBuilder()
                    .setNodeId(nodeId)
                    .setBlockSequence(lastSequence)
                    .build());
        }
    }
}
