package io.sealbook.crypto;

import io.sealbook.vocabulary.OperatingFailureException;

/** A hardware module that was opened does not sign, or signs wrongly. */
public final class ModuleFailureException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    ModuleFailureException(String name, String fact) {
        super("PKCS#11 " + name + ": " + fact);
    }

    /**
     * A failure with a reason.
     *
     * @param name of module and key
     * @param fact what it does not do
     * @param cause from the module
     */
    public ModuleFailureException(String name, String fact, Throwable cause) {
        super("PKCS#11 " + name + ": " + fact + ": " + cause.getMessage(), cause);
    }
}
