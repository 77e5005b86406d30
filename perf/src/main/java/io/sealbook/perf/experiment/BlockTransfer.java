package io.sealbook.perf.experiment;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.sealbook.perf.results.Figure;
import io.sealbook.perf.results.ResultRow;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.BlockData;
import io.sealbook.protocol.v1.GetBlocksRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import java.io.IOException;
import java.util.Iterator;

/**
 * What one reader gets of a node's blocks over gRPC, from the first to the last.
 *
 * @param blocks number of blocks
 * @param bytes of all blocks
 * @param tookNs time from the request to the last block
 */
record BlockTransfer(long blocks, long bytes, long tookNs) {
    private static final double NS_PER_S = 1e9;
    private static final double KIBIBYTE = 1_024;
    private static final int MESSAGE_MAX = 64 << 20;

    /**
     * Reads blocks of a node that has them.
     *
     * @param genesis of the cluster
     * @param nodeId whose blocks
     * @param last sequence of the last block
     * @throws IOException if a block is missing or out of order
     */
    static BlockTransfer of(GenesisFile genesis, int nodeId, long last) throws IOException {
        Node node = genesis.genesis().getNodes(nodeId);
        ManagedChannel channel = ManagedChannelBuilder.forAddress(node.getHost(), node.getGatewayPort())
                .usePlaintext()
                .maxInboundMessageSize(MESSAGE_MAX)
                .build();
        try {
            long startNs = System.nanoTime();
            Iterator<BlockData> blocks = OrderGatewayGrpc.newBlockingStub(channel)
                    .getBlocks(GetBlocksRequest.newBuilder()
                            .setFromSequence(1)
                            .setToSequence(last)
                            .build());
            long bytes = 0;
            long count = 0;
            while (blocks.hasNext()) {
                BlockData block = blocks.next();
                if (block.getSequence() != ++count) {
                    throw new IOException(
                            "node " + nodeId + " sent block " + block.getSequence() + " in place of block " + count);
                }
                bytes += block.getBlock().size();
            }
            if (count != last) {
                throw new IOException("node " + nodeId + " sent " + count + " of " + last + " blocks");
            }
            return new BlockTransfer(count, bytes, System.nanoTime() - startNs);
        } finally {
            channel.shutdownNow();
        }
    }

    double mebibytesPerSecond() {
        return bytes / (KIBIBYTE * KIBIBYTE) / (tookNs / NS_PER_S);
    }

    double meanKibibytes() {
        return bytes / KIBIBYTE / blocks;
    }

    /** Adds the figures to a line and returns it. */
    ResultRow addTo(ResultRow line) {
        return line.with(Figure.BLOCK_KIBIBYTES, meanKibibytes())
                .with(Figure.BLOCKS_PER_SECOND, blocks / (tookNs / NS_PER_S))
                .with(Figure.MEBIBYTES_PER_SECOND, mebibytesPerSecond());
    }
}
