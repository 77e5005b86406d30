package io.sealbook.archive.administration;

import io.sealbook.protocol.GenesisFile;

/**
 * What a verifier knows of the nodes of a chain: the genesis file, and perhaps what followed, from an archive or from a
 * membership proof. One thread.
 *
 * @param epochs as far as they are known
 * @param throughBlock last block whose transactions are in the epochs; 0 if the genesis file is all that is known
 */
public record KnownEpochs(ChainEpochs epochs, long throughBlock) {
    /** Returns what the genesis file alone says: the first epoch. */
    public static KnownEpochs of(GenesisFile genesis) {
        return new KnownEpochs(new ChainEpochs(genesis.genesis()), 0);
    }

    /**
     * Returns what an archive says, of which nothing but the approvals of the transactions is verified.
     *
     * @param genesis of the chain
     * @param asOf of the archive
     */
    public static KnownEpochs of(GenesisFile genesis, MembershipHistory.AsOf asOf) {
        return new KnownEpochs(ChainEpochs.of(genesis.genesis(), asOf.entries()), asOf.block() - 1);
    }
}
