package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.archive.proof.BatchContent;
import io.sealbook.archive.proof.BrokerSignatures;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.membership.Membership;
import io.sealbook.node.block.DecodedBlock;
import io.sealbook.node.block.DecodedHeaders;
import io.sealbook.node.block.HeaderDecoding;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.node.port.CheckedBlocks;
import io.sealbook.node.port.ReceivedBlocks;
import io.sealbook.vocabulary.BatchView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides whether the batches of transferred blocks are those of their headers and bear the signatures of their brokers
 * or members. The hash of a block covers the batch ids and not the signatures: a peer could send the agreed orders with
 * other signatures, and the archive of this node would prove nothing. A batch that the payload store holds with the
 * same bytes was verified at its admission. Any thread.
 */
public final class BlockSignatures {
    private final BrokerSignatures signatures;
    private final PayloadStore payloads;
    private final HeaderDecoding decoding;

    /**
     * @param verifier stays the caller's
     * @param payloads batches that this node has verified
     * @param decoding what is kept of the headers of batches
     */
    public BlockSignatures(SignatureVerifier verifier, PayloadStore payloads, HeaderDecoding decoding) {
        this.signatures = new BrokerSignatures(verifier);
        this.payloads = payloads;
        this.decoding = decoding;
    }

    /**
     * Returns the verdict about an answer, with the headers of its batches, which are decoded here once.
     *
     * @param received the answer
     * @param membership in effect for its first block
     */
    public CheckedBlocks check(ReceivedBlocks received, Membership membership) {
        for (Block block : received.blocks()) {
            if (block.batchCount() == 0) {
                // No proposal has none. A header alone costs its sender nothing, and no signature would be verified.
                return refused(received, block, "it has no batches");
            }
            if (!hasItsBatches(block)) {
                return refused(received, block, "its batches are not those of its header");
            }
        }
        DecodingPass pass = new DecodingPass(received.blocks());
        String fault = signatures.firstFault(received.blocks(), membership, pass);
        decoding.count(pass.decodedCount);
        return new CheckedBlocks(received, fault, fault.isEmpty() ? pass.decodedBlocks() : List.of());
    }

    private static CheckedBlocks refused(ReceivedBlocks received, Block block, String fault) {
        return new CheckedBlocks(received, "block " + block.header().sequence() + ": " + fault, List.of());
    }

    /** Returns whether the batches of a block have the ids that its header commits to, and its time. */
    static boolean hasItsBatches(Block block) {
        return BatchContent.firstMismatch(block).isEmpty() && block.hasMerkleRoot() && block.hasItsTimes();
    }

    /** Returns the batch as it was admitted here; null if it was not, or with another signature. */
    private Payload verifiedHere(Block block, int index) {
        Payload payload = payloads.get(block.batchId(index));
        int offset = block.batchOffset(index);
        boolean isSame = payload != null
                && Arrays.equals(
                        payload.signedBatch(),
                        0,
                        payload.signedBatch().length,
                        block.array(),
                        offset,
                        offset + block.batchLength(index));
        return isSame ? payload : null;
    }

    /** Collects the headers of all batches while they are checked, in the order of blocks and batches. One thread. */
    private final class DecodingPass implements BrokerSignatures.BatchPass {
        private final List<Block> blocks;
        private final List<DecodedHeaders> headers = new ArrayList<>();
        private int current;
        private int decodedCount;

        DecodingPass(List<Block> blocks) {
            this.blocks = blocks;
            blocks.forEach(block -> headers.add(new DecodedHeaders(block.batchCount())));
        }

        @Override
        public boolean isVerified(Block block, int index) {
            Payload payload = verifiedHere(block, index);
            if (payload != null) {
                headersOf(block).set(index, payload);
            }
            return payload != null;
        }

        @Override
        public void onDecoded(Block block, int index, BatchView batch) {
            headersOf(block).set(index, batch);
            decodedCount++;
        }

        private DecodedHeaders headersOf(Block block) {
            while (blocks.get(current) != block) {
                current++;
            }
            return headers.get(current);
        }

        List<DecodedBlock> decodedBlocks() {
            List<DecodedBlock> decoded = new ArrayList<>(blocks.size());
            for (int i = 0; i < blocks.size(); i++) {
                decoded.add(decoding.with(blocks.get(i), headers.get(i)));
            }
            return decoded;
        }
    }
}
