package io.sealbook.archive.proof;

import io.sealbook.archive.BlockHeader;
import io.sealbook.archive.administration.KnownEpochs;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.protocol.GenesisFile;
import io.sealbook.vocabulary.BrokenInvariantException;
import java.util.List;
import java.util.Optional;

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
     * Takes a membership proof from anybody.
     *
     * @return whether it leads further than what is known
     * @throws IllegalArgumentException if it does not hold; the message has the first link that does not
     * @throws ForkException if it holds, and contradicts what is known; nothing is taken over
     */
    public boolean advance(MembershipProof proof) {
        KnownEpochs proven = verifier.verify(proof);
        newest.ifPresent(last -> requireSameChain(last, proof));
        if (newest.isPresent() && newest.get().tip().sequence() >= proof.tip().sequence()) {
            return false;
        }
        known = proven;
        newest = Optional.of(proof);
        return true;
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
            if (next.sequence() <= tip.sequence()) {
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
