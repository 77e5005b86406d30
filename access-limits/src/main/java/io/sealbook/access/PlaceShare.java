package io.sealbook.access;

import io.sealbook.tls.role.Caller;
import java.security.cert.X509Certificate;
import java.util.Optional;

/**
 * Those for whom a part of a quota's places is reserved: each role, and the certificates that have proven none. The
 * parts that are not reserved serve all of them.
 */
enum PlaceShare {
    /** A certificate whose holder has proven no role, or none yet. */
    PUBLIC(8),
    BROKER(4),
    AUDITOR(8),
    MEMBER(8);

    private final int divisor;

    PlaceShare(int divisor) {
        this.divisor = divisor;
    }

    /** Returns the places that no other share can take; 0 if there are too few to divide. */
    int reserved(int totalMax) {
        return totalMax / divisor;
    }

    /** Returns the share of a holder; empty for an address, which shows that the port has no roles. */
    static Optional<PlaceShare> of(Object holder) {
        return switch (holder) {
            case Caller caller ->
                Optional.of(
                        switch (caller.role()) {
                            case BROKER -> BROKER;
                            case AUDITOR -> AUDITOR;
                            case MEMBER -> MEMBER;
                        });
            case X509Certificate shown -> Optional.of(PUBLIC);
            default -> Optional.empty();
        };
    }
}
