package io.sealbook.archive;

/**
 * A place in the log of certificates where the disk has damaged records. The log may hold one certificate of a gap,
 * which a disk may have written in the place of another one.
 *
 * @param after sequence of a whole certificate before it, 0 if there is none
 * @param before sequence of the next whole one
 */
public record CertificateGap(long after, long before) {
    /** Returns whether a certificate of this block may have been there. */
    public boolean contains(long sequence) {
        return sequence > after && sequence < before;
    }

    @Override
    public String toString() {
        return "certificates between " + after + " and " + before;
    }
}
