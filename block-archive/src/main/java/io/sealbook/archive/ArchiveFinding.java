package io.sealbook.archive;

import io.sealbook.vocabulary.Durability;

/**
 * Something in an archive's files that is not as an archive leaves them when it is closed. Nothing has been changed.
 *
 * @param kind what it is, and what can have caused it
 * @param fact one line for a person: file, block, offset, what was expected and what was found
 */
public record ArchiveFinding(Kind kind, String fact) {
    /** What can have caused a finding, from the usual to the serious. */
    public enum Cause {
        /** A process that was killed, or still runs. The node repairs it when it starts. */
        KILLED_PROCESS,
        /** A loss of power, with {@link Durability#PROCESS} or before the last sync; else damage. */
        LOSS_OF_POWER,
        /** Damage or forgery only. */
        DAMAGE
    }

    /** What was found. */
    public enum Kind {
        /** A file with the suffix {@code .unfinished}: the next segment, created ahead. */
        UNFINISHED_FILE(Cause.KILLED_PROCESS),
        /** The start of a record at the end of the last segment. */
        TORN_TAIL(Cause.KILLED_PROCESS),
        /** The start of a record at the end of the certificate log. */
        TORN_CERTIFICATE(Cause.KILLED_PROCESS),
        /** Bytes at the end of the last segment that are not the start of a record: its last block has changed. */
        DAMAGED_TAIL(Cause.LOSS_OF_POWER),
        /** A block that the index of its segment names and that is not in the file. */
        MISSING_BLOCK(Cause.LOSS_OF_POWER),
        /** A segment file after one that has lost its end. */
        LOST_FILE(Cause.LOSS_OF_POWER),
        /**
         * Bytes at the end of the certificate log that are not the start of a record: its last certificate has changed.
         */
        DAMAGED_CERTIFICATE(Cause.LOSS_OF_POWER),
        /** A block whose bytes, record header or index entry are not those that were written. */
        DAMAGED_BLOCK(Cause.DAMAGE),
        /** Bytes with a right checksum that are no block, or not the block of their place. */
        MALFORMED_BLOCK(Cause.DAMAGE),
        /** A block that does not follow the block before it by hash, by time or by its administration block. */
        BROKEN_CHAIN(Cause.DAMAGE),
        /** A certificate of a block after the last one: the archive has lost its end. */
        CERTIFICATE_BEYOND_END(Cause.DAMAGE),
        /** A certificate that names another hash than the block's. */
        CERTIFICATE_MISMATCH(Cause.DAMAGE);

        private final Cause cause;

        Kind(Cause cause) {
            this.cause = cause;
        }

        /** Returns the least serious event that explains the finding. */
        public Cause cause() {
            return cause;
        }
    }
}
