package io.sealbook.client;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The place of a batch in the agreed history. f+1 nodes sent the same facts, so at least one correct node vouches for
 * them. Whether its orders were accepted is for the engine to say, in execution reports.
 *
 * @param batchId SHA-256 of the encoded batch, 32 bytes; not to be modified
 * @param blockSequence block that holds the batch
 * @param batchIndex position of the batch in the block, from 0
 * @param blockTimeNs the block's time, ns since the epoch
 * @param blockHash hash of the block's header, 32 bytes; not to be modified
 * @param agreeingNodes how many nodes had said so when the receipt was formed, at least f+1
 */
public record Receipt(
        byte[] batchId, long blockSequence, int batchIndex, long blockTimeNs, byte[] blockHash, int agreeingNodes) {

    @Override
    public boolean equals(Object other) {
        return other instanceof Receipt that
                && blockSequence == that.blockSequence
                && batchIndex == that.batchIndex
                && blockTimeNs == that.blockTimeNs
                && agreeingNodes == that.agreeingNodes
                && Arrays.equals(batchId, that.batchId)
                && Arrays.equals(blockHash, that.blockHash);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(batchId);
    }

    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return "Receipt[batch " + hex.formatHex(batchId) + " at " + blockSequence + "/" + batchIndex + ", block "
                + hex.formatHex(blockHash) + ", time " + blockTimeNs + " ns, " + agreeingNodes + " nodes]";
    }
}
