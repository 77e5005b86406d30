package io.sealbook.consensus.config;

import io.sealbook.crypto.VerifierSettings;

/**
 * Limits of the way from a received batch to an admitted one.
 *
 * @param verifier which provider verifies signatures, with the settings of each
 * @param verifyLanes threads that decode and verify, 1..64
 * @param ringSize slots of the ring, a power of two; a full ring answers BUSY
 * @param ringWait how ring threads wait
 * @param submitInFlightMax batches one submit stream may have unanswered, or one message of 16 if that is more; the next are
 *     not read from the wire before
 * @param payloadStoreBytesMax bytes of admitted batches held until they are delivered; beyond it BUSY
 */
public record IngressConfig(
        VerifierSettings verifier,
        int verifyLanes,
        int ringSize,
        RingWait ringWait,
        int submitInFlightMax,
        long payloadStoreBytesMax) {
    public IngressConfig {
        ConfigException.require(1 <= verifyLanes && verifyLanes <= 64, "verify-lanes=" + verifyLanes + " is not 1..64");
        ConfigException.require(
                ringSize >= 64 && Integer.bitCount(ringSize) == 1,
                "ring-size=" + ringSize + " is not a power of two of at least 64");
        ConfigException.require(
                1 <= submitInFlightMax && submitInFlightMax <= ringSize,
                "submit-in-flight-max=" + submitInFlightMax + " is not 1..ring-size (" + ringSize + ")");
        ConfigException.require(
                payloadStoreBytesMax >= 1 << 20, "payload-store-bytes=" + payloadStoreBytesMax + " is below 1048576");
    }
}
