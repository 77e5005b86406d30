package io.sealbook.consensus.config;

import io.sealbook.vocabulary.OperatingFailureException;

/** Settings that cannot be used; the message is the fact that failed, with the value that was found. */
public final class ConfigException extends OperatingFailureException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String fact) {
        super(fact);
    }

    public ConfigException(String fact, Throwable cause) {
        super(fact, cause);
    }

    static void require(boolean condition, String fact) {
        if (!condition) {
            throw new ConfigException(fact);
        }
    }
}
