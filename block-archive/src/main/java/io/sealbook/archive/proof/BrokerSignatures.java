package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks that the batches of a block bear their brokers' signatures, by the keys of the genesis file. No hash of the
 * chain covers a signature, so that a certificate says nothing about it. One thread; the signature verifier stays the
 * caller's.
 */
public final class BrokerSignatures {
    private static final int SIGNATURES_PER_CALL = 256;

    private final long chainId;
    private final Map<Long, VerificationKey> keys = new HashMap<>();
    private final SignatureVerifier verifier;
    private final BatchView view = new BatchView();

    /**
     * @param genesis of the chain
     * @param verifier stays the caller's
     */
    public BrokerSignatures(GenesisFile genesis, SignatureVerifier verifier) {
        this.chainId = genesis.genesis().getChainId();
        this.verifier = verifier;
        for (Broker broker : genesis.genesis().getBrokersList()) {
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

    /**
     * Checks every batch of a block.
     *
     * @param block whose batch ids are those of its batches
     * @return one fact for each batch that no known broker signed for this chain, in the order of the batches; empty if
     *     all are right
     */
    public List<String> faults(Block block) {
        List<String> faults = new ArrayList<>();
        SignatureBatch signatures = new SignatureBatch(SIGNATURES_PER_CALL);
        List<Integer> pending = new ArrayList<>(SIGNATURES_PER_CALL);
        for (int i = 0; i < block.batchCount(); i++) {
            String fault = add(block, i, signatures);
            if (!fault.isEmpty()) {
                faults.add("batch " + i + " " + fault);
            } else {
                pending.add(i);
            }
            if (signatures.size() == SIGNATURES_PER_CALL) {
                verify(signatures, pending, faults);
            }
        }
        verify(signatures, pending, faults);
        return faults;
    }

    /** Returns what is wrong with a batch before its signature is looked at; empty if it has been added. */
    private String add(Block block, int i, SignatureBatch signatures) {
        if (block.batchLength(i) < SignedBatch.signedLength(0)
                || !view.wrap(block.array(), block.batchOffset(i), block.batchLength(i))
                        .isOrderBatch()) {
            return "is no batch of orders";
        }
        if (view.chainId() != chainId) {
            return "is of chain " + Long.toUnsignedString(view.chainId());
        }
        VerificationKey key = keys.get(keyOf(view.brokerId(), view.keyId()));
        if (key == null || key.scheme().code() != view.schemeCode()) {
            return "names no known key: broker " + Integer.toUnsignedString(view.brokerId()) + ", key " + view.keyId();
        }
        byte[] region = new byte[SignedRegion.LENGTH];
        SignedRegion.write(region, 0, chainId, block.array(), block.batchIdOffset(i));
        signatures.add(key, region, 0, region.length, block.array(), view.signatureOffset());
        return "";
    }

    private void verify(SignatureBatch signatures, List<Integer> pending, List<String> faults) {
        if (signatures.size() > 0 && verifier.verify(signatures) < signatures.size()) {
            for (int entry = 0; entry < pending.size(); entry++) {
                if (!signatures.isValid(entry)) {
                    faults.add("batch " + pending.get(entry) + " is not signed by its broker");
                }
            }
        }
        signatures.clear();
        pending.clear();
    }
}
