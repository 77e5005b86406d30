package io.sealbook.peer.frame;

/**
 * What became of an arriving frame. All but {@link #GENUINE} mean that the stream is not the peer's: the connection is
 * closed.
 */
public enum FrameVerdict {
    /** From the peer, for this node, in this session, in order, untouched. */
    GENUINE,
    /** The key names another node than the one at the other end. */
    WRONG_SOURCE,
    /** The counter did not rise. */
    REPLAYED,
    /** The code for this node is wrong. */
    BAD_CODE,
    /** The payload is not what the digest says, or not the batches that the type says. */
    BAD_DIGEST
}
