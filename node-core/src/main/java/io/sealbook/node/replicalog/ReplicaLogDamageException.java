package io.sealbook.node.replicalog;

/**
 * Bytes that were durable once do not read back. The node must not start from this log: votes it has given may be forgotten. An
 * operator either restores the file or lets the node join again as one that lost its disk.
 */
public final class ReplicaLogDamageException extends ReplicaLogException {
    private final long offset;

    ReplicaLogDamageException(String fact, long offset) {
        super("replica log: " + fact + " at offset " + offset, null);
        this.offset = offset;
    }

    /** Returns where in the segment file the damage begins. */
    public long offset() {
        return offset;
    }
}
