package io.sealbook.archive;

import io.sealbook.vocabulary.OperatingFailureException;

/**
 * An operating failure of the archive: a file could not be read or written. The shell decides whether to warn, degrade
 * or stop.
 */
public class ArchiveException extends OperatingFailureException {
    ArchiveException(String fact) {
        super(fact);
    }

    ArchiveException(String fact, Throwable cause) {
        super(fact + ": " + cause, cause);
    }
}
