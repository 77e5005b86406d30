package io.sealbook.node.transfer;

import io.sealbook.membership.Membership;
import io.sealbook.node.port.ReceivedBlocks;

/** Checks what no certificate covers: that batches are those of their header, and that their brokers signed them. */
@FunctionalInterface
public interface BlockChecks {
    /**
     * Begins to check an answer; the verdict comes to {@link StateTransfer#onChecked} later. Must not wait.
     *
     * @param received the answer
     * @param membership in effect for its first block
     */
    void check(ReceivedBlocks received, Membership membership);
}
