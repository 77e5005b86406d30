package io.sealbook.archive;

/**
 * No room for what was to be appended. The archive is as it was before the call: the partial record has been cut off,
 * reads go on, and the same append may be tried again when there is room.
 */
public final class ArchiveFullException extends ArchiveException {
    ArchiveFullException(String fact, Throwable cause) {
        super(fact, cause);
    }
}
