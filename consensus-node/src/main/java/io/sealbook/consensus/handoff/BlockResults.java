package io.sealbook.consensus.handoff;

/** Hears what the engine made of each block. */
@FunctionalInterface
public interface BlockResults {
    /**
     * Called once for each block in order, by the result reader's thread.
     *
     * @param resultDigest 32 bytes, the receiver's
     * @param executedTimeNs engine's clock, since 1970
     */
    void onResult(long sequence, byte[] resultDigest, long executedTimeNs);
}
