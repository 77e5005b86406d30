package io.sealbook.membership;

/**
 * How much of its {@link RateQuota} a broker has used: a token bucket for orders and one for bytes, each kept as the
 * time at which everything charged so far is paid for. This is the virtual scheduling algorithm of ITU-T I.371 (2004),
 * annex A: it needs no refill, and a change of the quota needs no conversion.
 *
 * <p>A batch costs its orders, or bytes, divided by the quota, in ns and rounded up. It fits if what was charged and is
 * not paid for, and its own cost, are together at most the burst; one that costs more than the burst fits if all is
 * paid for. A batch without new orders and replaces always fits: nothing keeps a broker from reducing its risk. It is
 * charged all the same, but leaves no more than two bursts to pay for.
 *
 * <p>Time is the caller's: a core's is block time. One thread charges; any thread may ask.
 */
public final class RateMeter {
    /** What a broker may send at once at a node's door: its quota of this time, in ns. */
    public static final long DOOR_BURST_NS = 1_000_000_000L;

    /**
     * What an engine executes at once: the quota of this time, in ns. What one door admits reaches the engine later,
     * and together if blocks were late: after a view change, which takes 2 s of the request timeout and 8 s of its own
     * under the default parameters, or while block time waits for a primary whose clock is up to 5 s behind.
     */
    public static final long ENGINE_BURST_NS = 10_000_000_000L;

    /** Nothing was ever charged. */
    private static final long PAID = Long.MIN_VALUE;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final long burstNs;
    private volatile long ordersPaidAtNs = PAID;
    private volatile long bytesPaidAtNs = PAID;

    /** @param burstNs what may be used at once, as the time in which the quota allows it */
    public RateMeter(long burstNs) {
        this.burstNs = burstNs;
    }

    /**
     * Returns how long a batch has to wait until it fits, in ns; 0 if it fits now.
     *
     * @param quota of the broker at present
     * @param orders new orders and replaces of the batch, 0..1,024
     * @param bytes of the batch with its signature
     * @param nowNs not before that of the last charge
     */
    public long waitNs(RateQuota quota, int orders, int bytes, long nowNs) {
        if (orders == 0) {
            return 0;
        }
        return Math.max(
                waitNs(ordersPaidAtNs, costNs(orders, quota.ordersPerSecondMax()), nowNs),
                waitNs(bytesPaidAtNs, costNs(bytes, quota.bytesPerSecondMax()), nowNs));
    }

    private long waitNs(long paidAtNs, long costNs, long nowNs) {
        if (costNs == 0 || paidAtNs <= nowNs) {
            return 0;
        }
        long unpaidNs = paidAtNs - nowNs;
        return Math.min(unpaidNs, Math.max(0, unpaidNs + costNs - burstNs));
    }

    /**
     * Charges a batch, whether it fits or not.
     *
     * @param quota of the broker at present
     * @param orders new orders and replaces of the batch, 0..1,024
     * @param bytes of the batch with its signature
     * @param nowNs as for {@link #waitNs}
     */
    public void charge(RateQuota quota, int orders, int bytes, long nowNs) {
        ordersPaidAtNs = paidAtNs(ordersPaidAtNs, costNs(orders, quota.ordersPerSecondMax()), nowNs);
        long after = paidAtNs(bytesPaidAtNs, costNs(bytes, quota.bytesPerSecondMax()), nowNs);
        long before = bytesPaidAtNs;
        bytesPaidAtNs = orders > 0 ? after : Math.max(before, Math.min(after, sum(nowNs, 2 * burstNs)));
    }

    private static long paidAtNs(long paidAtNs, long costNs, long nowNs) {
        return costNs == 0 ? paidAtNs : sum(Math.max(paidAtNs, nowNs), costNs);
    }

    /** Returns the end of time rather than an overflow. */
    private static long sum(long timeNs, long durationNs) {
        return timeNs > Long.MAX_VALUE - durationNs ? Long.MAX_VALUE : timeNs + durationNs;
    }

    private static long costNs(int units, long perSecond) {
        return perSecond == 0 ? 0 : -Math.floorDiv(-units * NS_PER_SECOND, perSecond);
    }

    /** Returns when all charged orders are paid for; {@link Long#MIN_VALUE} if none was ever charged. */
    public long ordersPaidAtNs() {
        return ordersPaidAtNs;
    }

    /** Returns when all charged bytes are paid for; {@link Long#MIN_VALUE} if none was ever charged. */
    public long bytesPaidAtNs() {
        return bytesPaidAtNs;
    }

    /**
     * Goes on from another meter's state.
     *
     * @param ordersNs its {@link #ordersPaidAtNs}
     * @param bytesNs its {@link #bytesPaidAtNs}
     */
    public void restore(long ordersNs, long bytesNs) {
        ordersPaidAtNs = ordersNs;
        bytesPaidAtNs = bytesNs;
    }
}
