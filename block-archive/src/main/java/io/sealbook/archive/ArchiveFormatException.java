package io.sealbook.archive;

/**
 * A file is not what its name says: magic, version, genesis digest or segment size differ from what is expected; the
 * message names them.
 */
public final class ArchiveFormatException extends ArchiveException {
    ArchiveFormatException(String fact) {
        super(fact);
    }
}
