package io.sealbook.node.replicalog;

/**
 * Bytes that were durable once do not read back. The node must not start from this log: votes that it gave may be
 * forgotten. The operator restores the file, or treats the log as lost.
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
