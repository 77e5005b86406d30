package io.sealbook.consensus.config;

import io.sealbook.crypto.VerifierSettings;
import java.util.concurrent.TimeUnit;

/**
 * Limits of the way from a received batch to an admitted one.
 *
 * @param verifier which provider verifies signatures, with the settings of each
 * @param verifyLanes threads that decode and verify, 1..64; by default they follow the cores
 * @param verifyWaitUs longest wait of a signature for company, in µs, 0..100,000
 * @param ringSize batches that wait until the lanes come to them, a power of two; beyond it BUSY. Half of it is for
 *     whoever comes first, and the other half is shared out among the peers and the brokers of this node; of one broker
 *     no more wait than there is room left for
 * @param ringWait how ring threads wait
 * @param submitInFlightMax batches one submit stream may have unanswered, or one message of 16 if that is more; the
 *     next are not read from the wire before
 * @param payloadStoreBytesMax bytes of admitted batches held until they are delivered; beyond it BUSY
 */
public record IngressConfig(
        VerifierSettings verifier,
        int verifyLanes,
        int verifyWaitUs,
        int ringSize,
        RingWait ringWait,
        int submitInFlightMax,
        long payloadStoreBytesMax) {
    private static final int LANES_DEFAULT_MAX = 16;
    private static final int WAIT_US_MAX = 100_000;
    /** A stream fits into the room that a lone broker finds, which is a quarter of the ring even with 13 nodes. */
    private static final int STREAM_PART = 4;

    public IngressConfig {
        ConfigException.require(1 <= verifyLanes && verifyLanes <= 64, "verify-lanes=" + verifyLanes + " is not 1..64");
        ConfigException.require(
                0 <= verifyWaitUs && verifyWaitUs <= WAIT_US_MAX,
                "verify-wait-us=" + verifyWaitUs + " is not 0.." + WAIT_US_MAX);
        ConfigException.require(
                ringSize >= 64 && Integer.bitCount(ringSize) == 1,
                "ring-size=" + ringSize + " is not a power of two of at least 64");
        ConfigException.require(
                1 <= submitInFlightMax && submitInFlightMax <= ringSize / STREAM_PART,
                "submit-in-flight-max=" + submitInFlightMax + " is not 1..a quarter of ring-size ("
                        + ringSize / STREAM_PART + ")");
        ConfigException.require(
                payloadStoreBytesMax >= 1 << 20, "payload-store-bytes=" + payloadStoreBytesMax + " is below 1048576");
    }

    /**
     * Returns the number of lanes for a number of cores: half of them, at most {@value #LANES_DEFAULT_MAX}. The other
     * half is for connections, agreement, commit and the engine.
     */
    static int lanesFor(int coreCount) {
        return Math.max(1, Math.min(coreCount / 2, LANES_DEFAULT_MAX));
    }

    public long verifyWaitNs() {
        return TimeUnit.MICROSECONDS.toNanos(verifyWaitUs);
    }
}
