package io.sealbook.client.connection;

/**
 * How many of a cluster's nodes must say the same before the client believes it.
 *
 * @param nodeCount n, at least 1
 * @param needed f+1, where f of n nodes may lie; fewer where the broker trusts one node
 */
public record AnswerQuorum(int nodeCount, int needed) {
    private static final int NODES_PER_FAULT = 3;

    public AnswerQuorum {
        if (needed < 1 || needed > nodeCount) {
            throw new IllegalArgumentException(needed + " of " + nodeCount + " nodes must agree");
        }
    }

    /** Returns f+1 of {@code nodeCount}, of which at least one is correct. */
    public static AnswerQuorum of(int nodeCount) {
        return new AnswerQuorum(nodeCount, (nodeCount - 1) / NODES_PER_FAULT + 1);
    }

    /** Returns the same nodes, any one of which is believed. */
    public AnswerQuorum trustingOne() {
        return new AnswerQuorum(nodeCount, 1);
    }
}
