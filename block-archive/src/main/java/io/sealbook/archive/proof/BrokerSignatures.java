package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.protocol.v1.Broker;
import io.sealbook.protocol.v1.BrokerKey;
import io.sealbook.protocol.v1.Genesis;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides whether the batches of blocks bear their brokers' signatures, by the keys of the genesis file. No hash of the
 * chain covers a signature, so that a certificate says nothing about it. Any thread, if the verifier allows it.
 */
public final class BrokerSignatures {
    private static final int SIGNATURES_PER_CALL = 256;

    private final long chainId;
    private final Map<Long, VerificationKey> keys = new HashMap<>();
    private final SignatureVerifier verifier;

    /** The caller's side of a pass over batches, which it sees in order. */
    public interface BatchPass {
        /** Of a caller that has verified none and needs no header. */
        BatchPass NONE = new BatchPass() {
            @Override
            public boolean isVerified(Block block, int index) {
                return false;
            }

            @Override
            public void onDecoded(Block block, int index, BatchView batch) {
                // Not needed.
            }
        };

        /**
         * Returns whether exactly these bytes of a batch, signature included, were verified before: they need no check.
         *
         * @param block holds the batch
         * @param index of the batch in the block, from 0
         */
        boolean isVerified(Block block, int index);

        /**
         * Takes the header of a batch that is checked, for a caller that needs it, too. Its signature is not verified
         * yet.
         *
         * @param block holds the batch
         * @param index of the batch in the block, from 0
         * @param batch at the batch; moves on afterwards
         */
        void onDecoded(Block block, int index, BatchView batch);
    }

    /**
     * @param genesis of the chain
     * @param verifier stays the caller's
     */
    public BrokerSignatures(Genesis genesis, SignatureVerifier verifier) {
        this.chainId = genesis.getChainId();
        this.verifier = verifier;
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

    /**
     * Checks every batch of a block.
     *
     * @param block whose batch ids are those of its batches
     * @return one fact for each batch that no known broker signed for this chain; empty if all are right
     */
    public List<String> faults(Block block) {
        Pass pass = new Pass();
        for (int i = 0; i < block.batchCount(); i++) {
            pass.add(block, i);
        }
        pass.verify();
        return pass.faults;
    }

    /**
     * Checks the batches of blocks up to the first that is wrong. Verifies signatures of several blocks in one call.
     *
     * @param blocks whose batch ids are those of their batches
     * @param caller names batches that are right without a check
     * @return the fact about a wrong batch; empty if all are right
     */
    public String firstFault(List<Block> blocks, BatchPass caller) {
        Pass pass = new Pass();
        for (Block block : blocks) {
            for (int i = 0; i < block.batchCount() && pass.faults.isEmpty(); i++) {
                if (!caller.isVerified(block, i) && pass.add(block, i)) {
                    caller.onDecoded(block, i, pass.view);
                }
            }
        }
        if (pass.faults.isEmpty()) {
            pass.verify();
        }
        return pass.faults.isEmpty() ? "" : pass.faults.get(0);
    }

    private record Place(Block block, int index) {
        @Override
        public String toString() {
            return "block " + block.header().sequence() + ": batch " + index;
        }
    }

    /** One pass over batches; signatures wait until a call of the verifier is full. One thread. */
    private final class Pass {
        private final List<String> faults = new ArrayList<>();
        private final SignatureBatch signatures = new SignatureBatch(SIGNATURES_PER_CALL);
        /** The batch of each signature that waits. */
        private final List<Place> places = new ArrayList<>(SIGNATURES_PER_CALL);

        private final BatchView view = new BatchView();

        /** Returns whether the batch is one whose signature can be verified; there is a fault if not. */
        boolean add(Block block, int i) {
            Place place = new Place(block, i);
            if (block.batchLength(i) < SignedBatch.signedLength(0)
                    || !view.wrap(block.array(), block.batchOffset(i), block.batchLength(i))
                            .isOrderBatch()) {
                faults.add(place + " is no batch of orders");
                return false;
            }
            if (view.chainId() != chainId) {
                faults.add(place + " is of chain " + Long.toUnsignedString(view.chainId()));
                return false;
            }
            VerificationKey key = keys.get(keyOf(view.brokerId(), view.keyId()));
            if (key == null || key.scheme().code() != view.schemeCode()) {
                faults.add(place + " names no known key: broker " + Integer.toUnsignedString(view.brokerId()) + ", key "
                        + view.keyId());
                return false;
            }
            byte[] region = new byte[SignedRegion.LENGTH];
            SignedRegion.write(region, 0, chainId, block.array(), block.batchIdOffset(i));
            signatures.add(key, region, 0, region.length, block.array(), view.signatureOffset());
            places.add(place);
            if (signatures.size() == SIGNATURES_PER_CALL) {
                verify();
            }
            return true;
        }

        void verify() {
            if (signatures.size() > 0 && verifier.verify(signatures) < signatures.size()) {
                for (int entry = 0; entry < places.size(); entry++) {
                    if (!signatures.isValid(entry)) {
                        faults.add(places.get(entry) + " is not signed by its broker");
                    }
                }
            }
            signatures.clear();
            places.clear();
        }
    }
}
