package io.sealbook.archive.administration;

import io.sealbook.membership.Membership;
import io.sealbook.protocol.v1.Genesis;
import java.util.List;
import java.util.TreeMap;

/** The epochs of a chain so far, with the nodes of each. One thread. */
public final class ChainEpochs {
    /** The newest membership of each epoch by the block that ended the epoch before; the first by 0. */
    private final TreeMap<Long, Membership> epochs = new TreeMap<>();

    /** @param genesis of the chain, with its defaults */
    public ChainEpochs(Genesis genesis) {
        add(Membership.of(genesis));
    }

    /**
     * Returns the epochs of an archive.
     *
     * @param genesis of the chain, with its defaults
     * @param entries all administrative batches from the first block on, in the order of the chain
     */
    public static ChainEpochs of(Genesis genesis, List<AdministrativeEntry> entries) {
        ChainEpochs epochs = new ChainEpochs(genesis);
        entries.forEach(entry -> epochs.add(entry.after()));
        return epochs;
    }

    /**
     * Returns the epochs of an archive, and keeps no other membership of it.
     *
     * @param genesis of the chain, with its defaults
     * @param history of the archive
     */
    public static ChainEpochs of(Genesis genesis, MembershipHistory history) {
        ChainEpochs epochs = new ChainEpochs(genesis);
        history.visitEntries(entry -> epochs.add(entry.after()));
        return epochs;
    }

    /** Adds the next membership of the chain. */
    public void add(Membership next) {
        epochs.put(next.epochBlock(), next);
    }

    /** Returns the newest membership. */
    public Membership last() {
        return epochs.lastEntry().getValue();
    }

    /**
     * Returns a membership of the epoch that a block belongs to: nodes, keys and parameters are those in effect for the
     * block; brokers and instruments may be later ones.
     *
     * @param block 1 and up; one after the last that is known belongs to the last epoch
     */
    public Membership of(long block) {
        return epochs.lowerEntry(block).getValue();
    }
}
