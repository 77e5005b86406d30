package io.sealbook.node.port;

/**
 * Instants of a block's life in this node, of the monotonic clock, in nanoseconds. Its life ends when it is in the
 * archive and handed on.
 *
 * @param arrivedNs arrival of its first batch; {@link #UNKNOWN} if all arrived before a restart
 * @param proposedNs this replica made its proposal, or voted for it; {@link #UNKNOWN} if that was in another view's
 *     re-proposal, or before a restart, or if it did not vote
 * @param agreedNs agreement delivered it
 */
public record BlockTimes(long arrivedNs, long proposedNs, long agreedNs) {
    /** No instant. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** Returns the same with the arrival of a batch, if it came before the others. */
    public BlockTimes withArrival(long receivedNs) {
        if (receivedNs == UNKNOWN || arrivedNs != UNKNOWN && arrivedNs - receivedNs <= 0) {
            return this;
        }
        return new BlockTimes(receivedNs, proposedNs, agreedNs);
    }

    /** Returns how long the first batch waited for the proposal; 0 if it came later, negative if unknown. */
    public long packingNs() {
        return arrivedNs == UNKNOWN || proposedNs == UNKNOWN ? -1 : Math.max(0, proposedNs - arrivedNs);
    }

    /** Returns the time from the proposal to its agreement; negative if unknown. */
    public long agreementNs() {
        return proposedNs == UNKNOWN ? -1 : Math.max(0, agreedNs - proposedNs);
    }
}
