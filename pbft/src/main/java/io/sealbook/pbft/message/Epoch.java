package io.sealbook.pbft.message;

/**
 * The span of a chain that one set of replicas agrees on, from the block after the end of the epoch before. A vote
 * counts in one epoch only: its signature covers chain and epoch.
 *
 * @param chainId of the chain
 * @param number 0 for the replicas of the genesis file, one more after each change of replicas
 */
public record Epoch(long chainId, int number) {
    public Epoch {
        if (number < 0) {
            throw new IllegalArgumentException("epoch " + number);
        }
    }

    /** Returns the epoch of the replicas of the genesis file. */
    public static Epoch first(long chainId) {
        return new Epoch(chainId, 0);
    }
}
