package io.sealbook.access;

import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A number of places, of which one holder may take a share: a caller whose role is proven, the certificate of one that
 * has proven none, or, at a port without TLS, an address.
 *
 * <p>Two rules keep places for others where holders are not mere addresses. Each role has places that no other role can
 * take ({@link PlaceShare}). And a holder takes no further place while it holds as many as are left for its role: n
 * greedy holders leave one part of n + 1 free, so that a holder without a place gets one (the dynamic thresholds of
 * Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998, with factor 1).
 *
 * <p>Any thread; the lock is held while maps are read and changed.
 */
public final class HolderQuota {
    private static final int SERIAL_RADIX = 16;

    private final int totalMax;
    private final int perHolderMax;
    /** Places that are reserved for no share. */
    private final int commonMax;

    private final Map<Object, Integer> counts = new HashMap<>();
    private final Map<PlaceShare, Integer> shareCounts = new EnumMap<>(PlaceShare.class);
    private int total;

    /**
     * Makes a quota of which no place is taken.
     *
     * @param totalMax places in total, at least 1
     * @param perHolderMax places that one holder may have, at least 1
     */
    public HolderQuota(int totalMax, int perHolderMax) {
        this.totalMax = totalMax;
        this.perHolderMax = perHolderMax;
        int reserved = 0;
        for (PlaceShare share : PlaceShare.values()) {
            reserved += share.reserved(totalMax);
            shareCounts.put(share, 0);
        }
        this.commonMax = totalMax - reserved;
    }

    /** The answer to a request for one place. */
    public enum Answer {
        /** The place is taken; {@link HolderQuota#release} must follow. */
        TAKEN,
        HOLDER_HAS_ENOUGH,
        /** Few are left, and the holder has more than those. */
        REST_IS_FOR_OTHERS,
        ALL_ARE_TAKEN
    }

    /** Takes a place for this holder, if one is free for it. Equal objects are one holder. */
    public synchronized Answer take(Object holder) {
        int held = counts.getOrDefault(holder, 0);
        if (held == perHolderMax) {
            return Answer.HOLDER_HAS_ENOUGH;
        }
        Optional<PlaceShare> share = PlaceShare.of(holder);
        int free = share.map(this::free).orElse(totalMax - total);
        if (free <= 0) {
            return Answer.ALL_ARE_TAKEN;
        }
        if (share.isPresent() && held >= free) {
            return Answer.REST_IS_FOR_OTHERS;
        }
        add(holder, share, 1);
        return Answer.TAKEN;
    }

    private int free(PlaceShare of) {
        int common = commonMax;
        for (PlaceShare share : PlaceShare.values()) {
            common -= Math.max(0, shareCounts.get(share) - share.reserved(totalMax));
        }
        int reserved = Math.max(0, of.reserved(totalMax) - shareCounts.get(of));
        return Math.min(reserved + Math.max(0, common), totalMax - total);
    }

    private void add(Object holder, Optional<PlaceShare> share, int change) {
        counts.merge(holder, change, (before, by) -> before + by == 0 ? null : before + by);
        share.ifPresent(of -> shareCounts.merge(of, change, Integer::sum));
        total += change;
    }

    /** Releases a place that {@link #take} has given to this holder. */
    public synchronized void release(Object holder) {
        add(holder, PlaceShare.of(holder), -1);
    }

    /**
     * Exchanges the holder of a place: who holds it has proven more.
     *
     * @param holder has the place, and no longer
     * @param next takes one in its stead
     * @return whether {@code next} has got it; if not, the place is free
     */
    public synchronized Answer replace(Object holder, Object next) {
        release(holder);
        return take(next);
    }

    /** Returns the number of places taken. */
    public synchronized int count() {
        return total;
    }

    /**
     * Describes a refusal in words for the log and for the caller.
     *
     * @param answer not TAKEN
     * @param holder that asked
     * @param things what a place is for, in the plural: connections, calls
     */
    public String describe(Answer answer, Object holder, String things) {
        return switch (answer) {
            case HOLDER_HAS_ENOUGH ->
                nameOf(holder) + " has " + perHolderMax + " " + things + " open, the most that one may have";
            case REST_IS_FOR_OTHERS -> nameOf(holder) + " has as many " + things + " open as are left for others";
            default -> totalMax + " " + things + " are open, the most that are served" + ofShare(holder);
        };
    }

    private static String ofShare(Object holder) {
        return PlaceShare.of(holder)
                .map(share -> " without those reserved for other roles than "
                        + share.name().toLowerCase(Locale.ROOT))
                .orElse("");
    }

    /** Returns the name of a holder in words for the log and for the caller. */
    public static String nameOf(Object holder) {
        return switch (holder) {
            case InetAddress address -> "address " + address.getHostAddress();
            case X509Certificate shown ->
                "certificate " + shown.getSubjectX500Principal() + ", serial "
                        + shown.getSerialNumber().toString(SERIAL_RADIX);
            default -> holder.toString();
        };
    }
}
