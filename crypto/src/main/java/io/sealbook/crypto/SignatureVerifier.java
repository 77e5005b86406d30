package io.sealbook.crypto;

import java.util.Map;
import java.util.Optional;

/**
 * Verifies signatures in batches.
 *
 * <p>An entry is valid when all of this holds; every provider must give the same verdicts:
 *
 * <ul>
 *   <li>{@code 1 <= r, s <= n-1};
 *   <li>SM2: {@code r + s mod n} is not 0, GB/T 32918.2, 7.1 holds, and v is 0;
 *   <li>secp256k1: {@code s <= (n-1)/2}, SEC 1, 4.1.4 holds, and v is the recovery byte of that nonce point.
 * </ul>
 *
 * The last two rules leave one encoding per signature: with the higher s, or another v, the same message would have a
 * second accepted form that its signer has not made. Nothing in the platform depends on that (a batch id does not cover
 * the signature); with it, the key recovered from an accepted signature is the key that verified it.
 *
 * <p>Thread-safe: several threads may verify different batches at the same time.
 */
public interface SignatureVerifier extends AutoCloseable {
    /** Returns the name of the provider that opened this verifier. */
    String provider();

    /** Returns the batch sizes at which this verifier works well; fixed for its life. */
    default BatchPreference preferredBatch() {
        return BatchPreference.perCore(1, 64);
    }

    /**
     * Verifies every entry and records its verdict in the batch.
     *
     * @param batch stays the caller's; earlier verdicts are overwritten
     * @return number of valid entries; 0 when the batch is empty
     * @throws DeviceException if the device failed; the verdicts in the batch are meaningless then
     */
    int verify(SignatureBatch batch);

    /**
     * Returns what this verifier has counted since it was opened, by names in lower case such as {@code device_faults};
     * empty if it counts nothing. The names stay the same for the verifier's life and their numbers only grow.
     */
    default Map<String, Long> counters() {
        return Map.of();
    }

    /** Returns why this verifier does not use its device any more; empty while it does, or if it has none. */
    default Optional<String> deviceFault() {
        return Optional.empty();
    }

    /** Releases the device. No verification may be running or follow. */
    @Override
    void close();
}
