package io.sealbook.consensus.peers;

import io.sealbook.consensus.config.ReplacedIdentityException;

/** The epoch of a former key has ended here, and the others may lack the certificate that ended it. */
public final class FormerNodeException extends ReplacedIdentityException {
    private static final long serialVersionUID = 1L;

    private final transient Farewell farewell;

    /**
     * @param nodeId whose identity it was
     * @param epoch from which another key is the node's, or none
     * @param farewell to be run once the node's files are closed
     */
    public FormerNodeException(int nodeId, int epoch, Farewell farewell) {
        super(nodeId, epoch);
        this.farewell = farewell;
    }

    /** Returns what the node still owes the others. */
    public Farewell farewell() {
        return farewell;
    }
}
