package io.sealbook.archive.proof;

import io.sealbook.archive.Block;
import io.sealbook.archive.administration.MembershipPass;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.VerificationKey;
import io.sealbook.membership.KeyTerm;
import io.sealbook.membership.Membership;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether the batches of blocks bear the signatures of their brokers and, if they are administrative, of the
 * members that proposed them. No hash of the chain covers a signature, so that a certificate says nothing about it.
 *
 * <p>A batch may be signed with any key that its broker had by an earlier block. Whether the key was still in effect is
 * the engines' decision, which their results show. Any thread, if the verifier allows it.
 */
public final class BrokerSignatures {
    private static final int SIGNATURES_PER_CALL = 256;

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

    /** @param verifier stays the caller's */
    public BrokerSignatures(SignatureVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Checks every batch of a block.
     *
     * @param block whose batch ids are those of its batches
     * @param membership in effect for the block
     * @return one fact for each batch that no known broker or member signed for this chain; empty if all are right
     */
    public List<String> faults(Block block, Membership membership) {
        Pass pass = new Pass(membership);
        for (int i = 0; i < block.batchCount(); i++) {
            pass.add(block, i);
        }
        pass.verify();
        return pass.faults;
    }

    /**
     * Checks the batches of consecutive blocks up to the first that is wrong. Verifies signatures of several blocks in
     * one call.
     *
     * @param blocks whose batch ids are those of their batches
     * @param membership in effect for the first block; what the blocks change is in effect for those after them
     * @param caller names batches that are right without a check
     * @return the fact about a wrong batch; empty if all are right
     */
    public String firstFault(List<Block> blocks, Membership membership, BatchPass caller) {
        MembershipPass memberships = new MembershipPass(membership);
        Pass pass = new Pass(membership);
        for (Block block : blocks) {
            pass.membership = memberships.membership();
            for (int i = 0; i < block.batchCount() && pass.faults.isEmpty(); i++) {
                if (!caller.isVerified(block, i) && pass.add(block, i)) {
                    caller.onDecoded(block, i, pass.view);
                }
            }
            if (!pass.faults.isEmpty()) {
                break;
            }
            memberships.onBlock(block);
        }
        if (pass.faults.isEmpty()) {
            pass.verify();
        }
        return pass.faults.isEmpty() ? "" : pass.faults.get(0);
    }

    /** Returns the key that a batch names, of its broker or of the member that proposed it, if there is such a key. */
    static Optional<VerificationKey> keyOf(BatchView batch, Membership membership) {
        Optional<VerificationKey> key = batch.isAdministrative()
                ? membership.identity(batch.session(), batch.keyId())
                : membership.key(batch.brokerId(), batch.keyId()).map(KeyTerm::key);
        return key.filter(known -> known.scheme().code() == batch.schemeCode());
    }

    private record Place(Block block, int index, boolean isAdministrative) {
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
        private final long chainId;
        /** In effect for the block whose batches come next. */
        private Membership membership;

        Pass(Membership membership) {
            this.membership = membership;
            this.chainId = membership.terms().getChainId();
        }

        /** Returns whether the batch is one whose signature can be verified; there is a fault if not. */
        boolean add(Block block, int i) {
            boolean isBatch = block.batchLength(i) >= SignedBatch.signedLength(0);
            if (isBatch) {
                view.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
            }
            Place place = new Place(block, i, isBatch && view.isAdministrative());
            if (!isBatch || !place.isAdministrative() && !view.isOrderBatch()) {
                faults.add(place + " is no batch of orders");
                return false;
            }
            if (view.chainId() != chainId) {
                faults.add(place + " is of chain " + Long.toUnsignedString(view.chainId()));
                return false;
            }
            VerificationKey key = keyOf(view, membership).orElse(null);
            if (key == null) {
                faults.add(place
                        + (place.isAdministrative()
                                ? " names no member's key: node " + view.session()
                                : " names no known key: broker " + Integer.toUnsignedString(view.brokerId()))
                        + ", key " + view.keyId());
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
                        Place place = places.get(entry);
                        faults.add(
                                place + " is not signed by its " + (place.isAdministrative() ? "proposer" : "broker"));
                    }
                }
            }
            signatures.clear();
            places.clear();
        }
    }
}
