package io.sealbook.node.replicalog;

import io.sealbook.vocabulary.OperatingFailureException;

/** The replica log cannot do its work; without it the replica must not vote. */
public sealed class ReplicaLogException extends OperatingFailureException
        permits ReplicaLogDamageException, ReplicaLogFailedException {
    ReplicaLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
