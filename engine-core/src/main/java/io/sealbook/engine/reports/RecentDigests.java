package io.sealbook.engine.reports;

import io.sealbook.vocabulary.result.BrokerDigest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The digests over one broker's reports in the last blocks. They are not written to a file: who asks for an older one
 * waits until it is computed from the runs. One thread adds, any thread reads.
 */
final class RecentDigests {
    /** About 1 MiB a broker, and seconds of full load: a reader that is live is within them. */
    static final int COUNT_MAX = 4_096;

    private final ConcurrentSkipListMap<Long, BrokerDigest> byFirst = new ConcurrentSkipListMap<>();
    private int count;

    void add(BrokerDigest digest) {
        if (count == COUNT_MAX) {
            byFirst.pollFirstEntry();
        } else {
            count++;
        }
        byFirst.put(digest.firstSequence(), digest);
    }

    /** Returns the digest over the block of a report; empty if it is not among the last ones. */
    Optional<BrokerDigest> of(long sequence) {
        return Optional.ofNullable(byFirst.floorEntry(sequence))
                .map(Map.Entry::getValue)
                .filter(digest -> sequence < digest.end());
    }
}
