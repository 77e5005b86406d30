package io.sealbook.client.connection;

/**
 * How many of a cluster's nodes must say the same before the client believes it. It follows the number of nodes, which
 * administrative transactions change. Written by the loop thread, read by any.
 */
public final class AnswerQuorum {
    /** Nodes of a chain to which transactions add nodes, at most: ids are below it. */
    public static final int NODES_MAX = 13;

    private static final int NODES_PER_FAULT = 3;

    private final int capacity;
    private volatile int nodeCount;

    private AnswerQuorum(int nodeCount) {
        this.capacity = Math.max(nodeCount, NODES_MAX);
        this.nodeCount = nodeCount;
    }

    /**
     * Returns f+1 of so many nodes, of which at least one is correct.
     *
     * @param nodeCount n as far as is known, at least 1
     */
    public static AnswerQuorum of(int nodeCount) {
        return new AnswerQuorum(nodeCount);
    }

    /**
     * There are more or fewer nodes now.
     *
     * @param count 1 to {@link #capacity}
     * @throws IllegalArgumentException if it is another number
     */
    public void resize(int count) {
        if (count < 1 || count > capacity) {
            throw new IllegalArgumentException(count + " nodes, expected 1 to " + capacity);
        }
        nodeCount = count;
    }

    /** Returns n. */
    public int nodeCount() {
        return nodeCount;
    }

    /** Returns how many nodes there may ever be: the size of what is kept for each. */
    public int capacity() {
        return capacity;
    }

    /** Returns f+1, where f of n nodes may lie. */
    public int needed() {
        return (nodeCount - 1) / NODES_PER_FAULT + 1;
    }

    /** Returns n-f: so many answer even if f nodes are silent, and at least f+1 of them are correct. */
    public int withoutFaulty() {
        return nodeCount - (needed() - 1);
    }
}
