package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.protocol.v1.Genesis;
import java.util.Arrays;
import java.util.List;

/**
 * Decides whether the batches of transferred blocks are those of their headers and bear their brokers' signatures. The
 * hash of a block covers the batch ids and not the signatures: a peer could send the agreed orders with other
 * signatures, and the archive of this node would prove nothing. A batch that the payload store holds with the same
 * bytes was verified at its admission. Any thread.
 */
public final class BlockSignatures {
    private final BrokerSignatures signatures;
    private final PayloadStore payloads;

    /**
     * @param genesis names the brokers' keys
     * @param verifier stays the caller's
     * @param payloads batches that this node has verified
     */
    public BlockSignatures(Genesis genesis, SignatureVerifier verifier, PayloadStore payloads) {
        this.signatures = new BrokerSignatures(genesis, verifier);
        this.payloads = payloads;
    }

    /** Returns the fact about a wrong batch; empty if all blocks are right. */
    public String firstFault(List<Block> blocks) {
        for (Block block : blocks) {
            if (!hasItsBatches(block)) {
                return "block " + block.header().sequence() + ": its batches are not those of its header";
            }
        }
        return signatures.firstFault(blocks, this::isVerifiedHere);
    }

    /** Returns whether the batches of a block have the ids that its header commits to. */
    static boolean hasItsBatches(Block block) {
        return BatchContent.firstMismatch(block).isEmpty() && block.hasMerkleRoot();
    }

    private boolean isVerifiedHere(Block block, int index) {
        Payload payload = payloads.get(block.batchId(index));
        int offset = block.batchOffset(index);
        return payload != null
                && Arrays.equals(
                        payload.signedBatch(),
                        0,
                        payload.signedBatch().length,
                        block.array(),
                        offset,
                        offset + block.batchLength(index));
    }
}
