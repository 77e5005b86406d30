package io.sealbook.chaos.liar;

/** How a member lies. */
public enum Lie {
    /** As primary it proposes late. First in turn, while it is the primary: other lies end its view. */
    SLOW,
    /** Proposals and votes to members with odd ids differ from those to the others. */
    EQUIVOCATE,
    /** Its batches go to one member only, and no request for batches or blocks is answered. */
    WITHHOLD,
    /** Forged votes, acknowledgements, checkpoints, batches, blocks and certificates among the right ones. */
    FORGE,
    /** Nothing goes to two of the others. */
    MUTE,
    /** With each message come votes with signatures that are none. */
    JUNK,
    /** With each message come old ones. */
    REPLAY
}
