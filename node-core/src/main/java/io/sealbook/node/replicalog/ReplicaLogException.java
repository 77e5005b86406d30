package io.sealbook.node.replicalog;

/** The replica log cannot do its work; without it the replica must not vote. */
public sealed class ReplicaLogException extends RuntimeException
        permits ReplicaLogDamageException, ReplicaLogFailedException {
    ReplicaLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
