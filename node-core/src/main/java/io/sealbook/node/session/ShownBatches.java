package io.sealbook.node.session;

import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.SignedBatch;
import io.sealbook.vocabulary.SignedRegion;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The last batch of each peer that extended no session here. A member that shows evidence sends both batches, one after
 * the other, and a node may be able to read neither: their block is old, or the session was restored from its head.
 *
 * <p>The signature of a batch that is in a block already is not checked at its arrival. It is checked here, before it
 * counts as evidence, and only if the two batches exclude each other. A member with a bad signature among them lies:
 * nothing of it is checked for one second, so that it keeps admission from nothing. One thread.
 */
final class ShownBatches {
    private static final long RETRY_NS = 1_000_000_000L;

    private final SignatureVerifier verifier;
    private final SignatureBatch signatures = new SignatureBatch(2);
    private final Map<Integer, ShownBatch> last = new TreeMap<>();
    /** Of peers that sent a bad signature, when it was found. */
    private final Map<Integer, Long> refusedNs = new TreeMap<>();

    /** @param verifier stays the caller's */
    ShownBatches(SignatureVerifier verifier) {
        this.verifier = verifier;
    }

    /**
     * Keeps a batch in place of the peer's last one, and compares the two.
     *
     * @param peer that sent it
     * @param shown the batch
     * @param nowNs monotonic clock
     * @return what both prove; empty if nothing, or if a signature is bad
     */
    Optional<Equivocation> add(int peer, ShownBatch shown, long nowNs) {
        ShownBatch before = last.put(peer, shown);
        if (before == null || !before.excludes(shown) || isRefused(peer, nowNs)) {
            return Optional.empty();
        }
        if (!areSigned(before, shown)) {
            refusedNs.put(peer, nowNs);
            last.remove(peer);
            return Optional.empty();
        }
        return Equivocation.of(before.bytes(), shown.bytes());
    }

    private boolean isRefused(int peer, long nowNs) {
        Long sinceNs = refusedNs.get(peer);
        return sinceNs != null && nowNs - sinceNs < RETRY_NS;
    }

    private boolean areSigned(ShownBatch one, ShownBatch other) {
        signatures.clear();
        addUnverified(one);
        addUnverified(other);
        return signatures.size() == 0 || verifier.verify(signatures) == signatures.size();
    }

    private void addUnverified(ShownBatch shown) {
        if (!shown.isVerified()) {
            byte[] region = new byte[SignedRegion.LENGTH];
            SignedRegion.write(region, 0, new BatchView().wrap(shown.bytes()).chainId(), shown.id());
            int signatureAt = shown.bytes().length - SignedBatch.SIGNATURE_LENGTH;
            signatures.add(shown.key(), region, 0, region.length, shown.bytes(), signatureAt);
        }
    }
}
