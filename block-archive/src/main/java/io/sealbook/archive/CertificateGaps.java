package io.sealbook.archive;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The gaps of a log of certificates, and what was found to fill them. Guarded by the log. */
final class CertificateGaps {
    private final List<CertificateGap> gaps = new ArrayList<>();
    /** Of gaps that were closed while there are others. */
    private final TreeMap<Long, CheckpointCertificate> found = new TreeMap<>();

    /** Adds a gap; those that it touches become a part of it. */
    void add(CertificateGap added) {
        long after = added.after();
        long before = added.before();
        for (CertificateGap gap : List.copyOf(gaps)) {
            if (gap.before() > after && gap.after() < before) {
                gaps.remove(gap);
                after = Math.min(after, gap.after());
                before = Math.max(before, gap.before());
            }
        }
        gaps.add(new CertificateGap(after, before));
        gaps.sort(Comparator.comparingLong(CertificateGap::after));
    }

    List<CertificateGap> all() {
        return List.copyOf(gaps);
    }

    /**
     * Closes a gap.
     *
     * @param gap of these
     * @param certificates which were in it
     * @return whether that was the last gap
     */
    boolean close(CertificateGap gap, Collection<CheckpointCertificate> certificates) {
        if (!gaps.remove(gap)) {
            return false;
        }
        certificates.forEach(certificate -> found.put(certificate.sequence(), certificate));
        return gaps.isEmpty();
    }

    /** Returns the certificates that were found for gaps, by sequence; not to be changed. */
    SortedMap<Long, CheckpointCertificate> found() {
        return found;
    }

    /** The log holds what was found. */
    void forgetFound() {
        found.clear();
    }
}
