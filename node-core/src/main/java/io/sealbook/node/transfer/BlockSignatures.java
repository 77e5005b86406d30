package io.sealbook.node.transfer;

import io.sealbook.archive.Block;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.node.payload.Payload;
import io.sealbook.node.payload.PayloadStore;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.SignedRegion;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells whether the batches of blocks are those of their headers and bear their brokers' signatures. The hash of a block covers the batch
 * ids and not the signatures: a peer could hand over the agreed orders with other signatures, and this node's archive would prove
 * nothing any more. Any thread.
 */
public final class BlockSignatures {
    private static final int SIGNATURES_PER_CALL = 256;

    private final long chainId;
    private final Map<Long, VerificationKey> keys = new HashMap<>();
    private final SignatureVerifier verifier;
    private final PayloadStore payloads;

    /** @param payloads what stands there with the same bytes was verified when it came */
    public BlockSignatures(Genesis genesis, SignatureVerifier verifier, PayloadStore payloads) {
        this.chainId = genesis.getChainId();
        this.verifier = verifier;
        this.payloads = payloads;
        for (Broker broker : genesis.getBrokersList()) {
            for (BrokerKey key : broker.getKeysList()) {
                keys.put(
                        keyOf(broker.getBrokerId(), key.getKeyId()),
                        VerificationKey.of(
                                SignatureScheme.of(key.getKey().getSchemeValue()),
                                key.getKey().getPoint().toByteArray()));
            }
        }
    }

    private static long keyOf(int brokerId, int keyId) {
        return Integer.toUnsignedLong(brokerId) << Integer.SIZE | keyId;
    }

    /** Returns what is wrong with the first block that is not right; empty when all are. */
    public String firstFault(List<Block> blocks) {
        SignatureBatch signatures = new SignatureBatch(SIGNATURES_PER_CALL);
        for (Block block : blocks) {
            if (!BatchIds.match(block)) {
                return "block " + block.header().sequence() + ": its batches are not those of its header";
            }
            for (int i = 0; i < block.batchCount(); i++) {
                if (!isVerifiedHere(block, i) && !add(block, i, signatures)) {
                    return "block " + block.header().sequence() + ": batch " + i + " names no known key";
                }
                if (signatures.size() == SIGNATURES_PER_CALL && !areValid(signatures)) {
                    return "signatures of blocks up to " + block.header().sequence() + " are not their brokers'";
                }
            }
        }
        return areValid(signatures) ? "" : "signatures are not those of the batches' brokers";
    }

    private boolean isVerifiedHere(Block block, int i) {
        Payload payload = payloads.get(Digest.of(block.array(), block.batchIdOffset(i)));
        int offset = block.batchOffset(i);
        return payload != null
                && Arrays.equals(
                        payload.signedBatch(),
                        0,
                        payload.signedBatch().length,
                        block.array(),
                        offset,
                        offset + block.batchLength(i));
    }

    private boolean add(Block block, int i, SignatureBatch signatures) {
        int offset = block.batchOffset(i);
        BatchView batch = new BatchView().wrap(block.array(), offset, block.batchLength(i));
        VerificationKey key = keys.get(keyOf(batch.brokerId(), batch.keyId()));
        if (key == null || batch.schemeCode() != key.scheme().code()) {
            return false;
        }
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, chainId, block.array(), block.batchIdOffset(i));
        signatures.add(key, region, 0, region.length, block.array(), batch.signatureOffset());
        return true;
    }

    private boolean areValid(SignatureBatch signatures) {
        boolean areAll = signatures.size() == 0 || verifier.verify(signatures) == signatures.size();
        signatures.clear();
        return areAll;
    }
}
