package io.sealbook.consensus.config;

import io.sealbook.vocabulary.OperatingFailureException;

/**
 * The key in this directory was the node's until an administrative transaction replaced or removed it: it speaks for no
 * node.
 */
public class ReplacedIdentityException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    /**
     * @param nodeId whose identity it was
     * @param epoch at the latest from which another key is the node's
     */
    public ReplacedIdentityException(int nodeId, int epoch) {
        super("node.key is a former key of node " + nodeId + ", which has another one or none in epoch " + epoch
                + "; this machine was replaced or removed and takes part no more");
    }
}
