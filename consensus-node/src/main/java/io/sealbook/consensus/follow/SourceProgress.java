package io.sealbook.consensus.follow;

import io.sealbook.node.follow.FollowedChain;
import java.util.Optional;

/**
 * Judges whether a source is too slow, or silent: it has not answered for a whole period, or is behind for one and not
 * nearer at its end. A source that withholds certificates is behind too. One thread.
 */
final class SourceProgress {
    private final long stallNs;
    private final long uncertifiedMax;
    private long periodBeganNs;
    private long distanceThen;

    /**
     * @param stallNs length of a period
     * @param uncertifiedMax blocks after the last certificate that a correct node can have
     */
    SourceProgress(long stallNs, long uncertifiedMax) {
        this.stallNs = stallNs;
        this.uncertifiedMax = uncertifiedMax;
    }

    long stallNs() {
        return stallNs;
    }

    /** Begins with another source. */
    void begin(long nowNs) {
        beginPeriod(nowNs, Long.MAX_VALUE);
    }

    private void beginPeriod(long nowNs, long distance) {
        periodBeganNs = nowNs;
        distanceThen = distance;
    }

    /**
     * Returns why the source should be left; empty if it should not.
     *
     * @param chain what has come
     * @param isAnswered whether anything came from this source
     * @param nowNs monotonic clock
     */
    Optional<String> complaint(FollowedChain chain, boolean isAnswered, long nowNs) {
        if (!isAnswered) {
            return nowNs - periodBeganNs < stallNs ? Optional.empty() : Optional.of("no answer");
        }
        long behind = chain.knownHeight() - (chain.nextSequence() - 1);
        long uncertified = chain.confirmedEnd() - chain.certifiedEnd() - uncertifiedMax;
        long distance = Math.max(0, behind) + Math.max(0, uncertified);
        if (distance == 0) {
            beginPeriod(nowNs, Long.MAX_VALUE);
            return Optional.empty();
        }
        if (nowNs - periodBeganNs < stallNs) {
            return Optional.empty();
        }
        long before = distanceThen;
        beginPeriod(nowNs, distance);
        if (distance < before) {
            return Optional.empty();
        }
        return Optional.of(
                behind > 0
                        ? behind + " blocks behind the others, and not nearer than before"
                        : "no certificate after that of block " + chain.certifiedEnd());
    }
}
