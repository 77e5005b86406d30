package io.sealbook.membership;

import io.sealbook.protocol.ProtocolVersion;
import io.sealbook.vocabulary.OperatingFailureException;

/**
 * A chain goes on under rules that this build does not have: what it would make of the following blocks is wrong. A
 * newer build goes on from the same files.
 */
public final class UnknownProtocolVersionException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    /** @param version of the rules that the chain has */
    public UnknownProtocolVersionException(int version) {
        super("the chain goes on with protocol version " + version + ", this build follows " + ProtocolVersion.OLDEST
                + ".." + ProtocolVersion.NEWEST + "; install a newer build and start it on the same directory");
    }
}
