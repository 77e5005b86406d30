package io.sealbook.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A broker uses its quota, once more as burst, and nothing beyond. */
class RateMeterTest {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * SECOND_NS;
    private static final RateQuota ORDERS = new RateQuota(100, 0);
    private static final RateQuota BYTES = new RateQuota(0, 1_000);

    private final RateMeter meter = new RateMeter(SECOND_NS);

    @Test
    void shouldAdmitABurstThenTheRate() {
        assertEquals(0, meter.waitNs(ORDERS, 100, 5_000, START_NS));
        meter.charge(ORDERS, 100, 5_000, START_NS);

        assertEquals(SECOND_NS / 100, meter.waitNs(ORDERS, 1, 200, START_NS));
        assertEquals(SECOND_NS / 10, meter.waitNs(ORDERS, 10, 200, START_NS));
        assertEquals(1, meter.waitNs(ORDERS, 10, 200, START_NS + SECOND_NS / 10 - 1));
        assertEquals(0, meter.waitNs(ORDERS, 10, 200, START_NS + SECOND_NS / 10));
        assertEquals(0, meter.waitNs(ORDERS, 100, 200, START_NS + SECOND_NS));
    }

    @Test
    void shouldLimitBytesBesideOrders() {
        meter.charge(BYTES, 1, 900, START_NS);

        assertEquals(0, meter.waitNs(BYTES, 1, 100, START_NS));
        assertEquals(SECOND_NS / 10, meter.waitNs(BYTES, 1, 200, START_NS));
        assertEquals(
                SECOND_NS / 10,
                meter.waitNs(new RateQuota(1_000_000, 1_000), 1, 200, START_NS),
                "the longer wait of both counts");
    }

    @Test
    void shouldAdmitABatchAboveTheBurstWhenAllIsPaidFor() {
        assertEquals(0, meter.waitNs(ORDERS, 256, 12_441, START_NS));
        meter.charge(ORDERS, 256, 12_441, START_NS);

        assertEquals(2_560_000_000L, meter.waitNs(ORDERS, 256, 12_441, START_NS));
        assertEquals(1, meter.waitNs(ORDERS, 256, 12_441, START_NS + 2_559_999_999L));
        assertEquals(0, meter.waitNs(ORDERS, 256, 12_441, START_NS + 2_560_000_000L));
    }

    @Test
    void shouldNeverKeepABrokerFromReducingItsRisk() {
        for (int i = 0; i < 1_000; i++) {
            assertEquals(0, meter.waitNs(BYTES, 0, 500, START_NS));
            meter.charge(BYTES, 0, 500, START_NS);
        }

        assertEquals(START_NS + 2 * SECOND_NS, meter.bytesPaidAtNs(), "what cancels leave to pay for is bounded");
        assertEquals(2 * SECOND_NS, meter.waitNs(BYTES, 1, 2_000, START_NS));
    }

    @Test
    void shouldNotForgiveWhatOrdersHaveCostBecauseOfACancel() {
        meter.charge(BYTES, 1, 5_000, START_NS);
        meter.charge(BYTES, 0, 500, START_NS);

        assertEquals(START_NS + 5 * SECOND_NS, meter.bytesPaidAtNs());
    }

    @Test
    void shouldNotLimitWithoutAQuota() {
        for (int i = 0; i < 1_000; i++) {
            assertEquals(0, meter.waitNs(RateQuota.NONE, 1_024, 50_000, START_NS));
            meter.charge(RateQuota.NONE, 1_024, 50_000, START_NS);
        }
        assertEquals(Long.MIN_VALUE, meter.ordersPaidAtNs());
        assertEquals(Long.MIN_VALUE, meter.bytesPaidAtNs());
        assertTrue(RateQuota.NONE.isNone());
    }

    @Test
    void shouldReachTheEndsOfTimeAndOfTheQuota() {
        RateQuota one = new RateQuota(1, 1);
        meter.charge(one, 1_024, 49_305, Long.MAX_VALUE - 5);
        assertEquals(Long.MAX_VALUE, meter.ordersPaidAtNs());
        assertEquals(Long.MAX_VALUE, meter.bytesPaidAtNs());
        assertEquals(5, meter.waitNs(one, 1_024, 49_305, Long.MAX_VALUE - 5));

        RateMeter fast = new RateMeter(SECOND_NS);
        fast.charge(new RateQuota(0xFFFF_FFFFL, 0xFFFF_FFFFL), 1, 1, Long.MIN_VALUE + 5);
        assertEquals(Long.MIN_VALUE + 6, fast.ordersPaidAtNs(), "a cost is rounded up");
        assertThrows(IllegalArgumentException.class, () -> new RateQuota(1L << 32, 0));
        assertThrows(IllegalArgumentException.class, () -> new RateQuota(0, -1));
    }

    /** Against a bucket of tokens with exact fractions, however a broker sends. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldAdmitWhatABucketOfTokensAdmits(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        // Divides a second, so that no cost is rounded.
        long perSecond = new long[] {1, 2, 8, 100, 1_000, 1_000_000}[random.nextInt(6)];
        BigInteger capacity = BigInteger.valueOf(perSecond).multiply(BigInteger.valueOf(SECOND_NS));
        BigInteger tokens = capacity;
        long nowNs = START_NS;
        int admitted = 0;
        for (int i = 0; i < 5_000; i++) {
            long passedNs = random.nextLong(SECOND_NS / 50);
            nowNs += passedNs;
            tokens = tokens.add(BigInteger.valueOf(perSecond).multiply(BigInteger.valueOf(passedNs)))
                    .min(capacity);
            int orders = 1 + random.nextInt((int) Math.min(256, perSecond));
            BigInteger cost = BigInteger.valueOf(orders).multiply(BigInteger.valueOf(SECOND_NS));
            boolean fits = cost.compareTo(tokens) <= 0;

            assertEquals(fits, meter.waitNs(new RateQuota(perSecond, 0), orders, 1, nowNs) == 0, "batch " + i);
            if (fits) {
                meter.charge(new RateQuota(perSecond, 0), orders, 1, nowNs);
                tokens = tokens.subtract(cost);
                admitted++;
            }
        }
        assertTrue(admitted > 10, "admitted " + admitted);
    }
}
