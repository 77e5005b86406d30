package io.sealbook.node.session;

/** How a batch fits what a node holds of its session. */
public enum Offer {
    /** It extends the session and is held now. */
    TAKEN,
    /** This very batch is held and not in a block. */
    HELD,
    /** This very batch is in a block. */
    DELIVERED,
    /** Its number was delivered so long ago that its id is not remembered. */
    PASSED,
    /** Another batch has its number. */
    CONFLICT,
    /** It names another batch as the one before than the node holds, or is another one than its successor names. */
    BROKEN_CHAIN,
    /** Its number leaves a gap. */
    GAP,
    /** Too many batches of the session wait for their block. */
    FULL
}
