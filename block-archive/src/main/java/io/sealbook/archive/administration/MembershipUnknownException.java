package io.sealbook.archive.administration;

import io.sealbook.vocabulary.OperatingFailureException;

/** A block that the membership follows from has been moved away. */
public final class MembershipUnknownException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    MembershipUnknownException(String fact) {
        super(fact);
    }
}
