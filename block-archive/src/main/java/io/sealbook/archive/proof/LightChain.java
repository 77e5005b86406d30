package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A chain as a verifier without blocks follows it: the genesis file and the newest membership proof. It goes through
 * changes of nodes by itself, and believes no source. One thread; the signature verifier stays the caller's.
 *
 * <p>Who follows steadily is safer than who begins with the genesis file: nodes that were replaced long ago, and whose
 * keys were stolen since, can certify another chain from their time on, but not one that is also the one known here.
 */
public final class LightChain {
    private final MembershipProofVerifier verifier;
    private KnownEpochs known;
    private Optional<MembershipProof> newest = Optional.empty();

    /** Two chains of one genesis file, each certified: more than f nodes of some epoch signed both, or lost keys. */
    public static final class ForkException extends BrokenInvariantException {
        ForkException(String fact) {
            super(fact);
        }
    }

    /**
     * Knows the genesis file only.
     *
     * @param genesis of the chain
     * @param verifier of the nodes' signatures
     */
    public LightChain(GenesisFile genesis, SignatureVerifier verifier) {
        this.verifier = new MembershipProofVerifier(genesis, verifier);
        this.known = KnownEpochs.of(genesis);
    }

    /** Returns what is known of the nodes: {@link ProofVerifier} judges with it. */
    public KnownEpochs known() {
        return known;
    }

    /** Returns the newest membership proof; empty if the genesis file is all that is known. */
    public Optional<MembershipProof> newest() {
        return newest;
    }

    /**
     * Takes a membership proof from anybody. One that ends before what is known, and shows a transaction that was left
     * out of that, is taken together with it.
     *
     * @return whether it leads further than what is known, or shows a transaction that was left out of that
     * @throws IllegalArgumentException if it does not hold, or leaves out a transaction that is known; the message has
     *     the first link that does not hold, or the transaction; nothing is taken over
     * @throws ForkException if it holds, and contradicts what is known; nothing is taken over
     */
    public boolean advance(MembershipProof proof) {
        KnownEpochs proven = verifier.verify(proof);
        if (newest.isPresent()) {
            MembershipProof last = newest.get();
            requireSameChain(last, proof);
            requireAllOf(last, proof);
            boolean isLonger = proof.tip().sequence() > last.tip().sequence();
            if (!isLonger && !hasMore(proof, last)) {
                return false;
            }
            if (proof.tip().sequence() < last.tip().sequence()) {
                return take(completed(last, proof));
            }
        }
        known = proven;
        newest = Optional.of(proof);
        return true;
    }

    private boolean take(MembershipProof completed) {
        try {
            known = verifier.verify(completed);
        } catch (IllegalArgumentException e) {
            throw new ForkException("block " + completed.tip().sequence() + " is certified by nodes that were replaced"
                    + " before it: " + e.getMessage());
        }
        newest = Optional.of(completed);
        return true;
    }

    /**
     * A proof may leave out transactions of a block, as its headers do not show them. The epochs that follow from it
     * may be earlier ones, and nodes that were replaced would be believed again.
     */
    private static void requireAllOf(MembershipProof known, MembershipProof proof) {
        Set<Place> shown = places(proof);
        for (InclusionProof transaction : known.transactions()) {
            Place place = Place.of(transaction);
            if (place.block() <= proof.tip().sequence() && !shown.contains(place)) {
                throw new IllegalArgumentException("membership proof: it leaves out batch " + place.index()
                        + " of block " + place.block() + ", an administrative one that is known");
            }
        }
    }

    private static boolean hasMore(MembershipProof proof, MembershipProof known) {
        return !places(known).containsAll(places(proof));
    }

    /** Returns a proof with the transactions of one that was not complete, and with those of an older one. */
    private static MembershipProof completed(MembershipProof newer, MembershipProof older) {
        SortedMap<Place, InclusionProof> transactions = new TreeMap<>();
        newer.transactions().forEach(transaction -> transactions.put(Place.of(transaction), transaction));
        older.transactions().forEach(transaction -> transactions.put(Place.of(transaction), transaction));
        return new MembershipProof(
                newer.genesisDigest(), newer.tip(), newer.certificate(), List.copyOf(transactions.values()));
    }

    private static Set<Place> places(MembershipProof proof) {
        return proof.transactions().stream().map(Place::of).collect(Collectors.toSet());
    }

    /** Of a batch in the chain. */
    private record Place(long block, int index) implements Comparable<Place> {
        static Place of(InclusionProof proof) {
            return new Place(proof.header().sequence(), proof.batchIndex());
        }

        @Override
        public int compareTo(Place other) {
            return block == other.block ? Integer.compare(index, other.index) : Long.compare(block, other.block);
        }
    }

    /** Each header of an administrative block fixes all blocks before it. */
    private static void requireSameChain(MembershipProof one, MembershipProof other) {
        List<BlockHeader> first = headers(one);
        List<BlockHeader> second = headers(other);
        for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
            requireSame(first.get(i), second.get(i));
        }
        if (first.size() != second.size()) {
            boolean isFirstLonger = first.size() > second.size();
            BlockHeader next = isFirstLonger ? first.get(second.size()) : second.get(first.size());
            BlockHeader tip = isFirstLonger ? other.tip() : one.tip();
            // A proof may leave out the transactions of its last block: its header does not name them.
            if (next.sequence() <= tip.sequence() && !next.equals(tip)) {
                throw new ForkException("block " + next.sequence() + " with administrative batches is certified, and so"
                        + " is block " + tip.sequence() + ", which names none after block "
                        + tip.administrationBlock());
            }
        } else if (one.tip().sequence() == other.tip().sequence()) {
            requireSame(one.tip(), other.tip());
        }
    }

    private static void requireSame(BlockHeader one, BlockHeader other) {
        if (!one.equals(other)) {
            throw new ForkException("block " + one.sequence() + " with hash "
                    + one.hash().hex() + " and block " + other.sequence() + " with hash "
                    + other.hash().hex() + " are both certified, and only one can be of this chain");
        }
    }

    private static List<BlockHeader> headers(MembershipProof proof) {
        return proof.transactions().stream()
                .map(InclusionProof::header)
                .distinct()
                .toList();
    }
}
