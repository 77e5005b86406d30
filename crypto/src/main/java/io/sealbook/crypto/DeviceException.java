package io.sealbook.crypto;

import io.sealbook.vocabulary.OperatingFailureException;

/** A verifier's device failed; its verdicts are unknown and the work belongs to another provider. */
public final class DeviceException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    public DeviceException(String message) {
        super(message);
    }

    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}
