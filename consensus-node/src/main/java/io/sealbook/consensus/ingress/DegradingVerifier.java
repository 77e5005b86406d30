package io.sealbook.consensus.ingress;

import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies with the chosen provider until its device fails, then with the reference provider, which has no device. A
 * provider may also replace its device itself, and then reports another name. Either change is logged and counted; the
 * failed device is not tried again before a restart. Thread-safe.
 */
public final class DegradingVerifier implements SignatureVerifier {
    private static final Logger log = LoggerFactory.getLogger(DegradingVerifier.class);
    private static final String REFERENCE = "bc";

    private final SignatureVerifier chosen;
    private final NodeMetrics metrics;
    private volatile SignatureVerifier current;
    private volatile String provider;
    private SignatureVerifier failed;

    public DegradingVerifier(SignatureVerifier chosen, NodeMetrics metrics) {
        this.chosen = chosen;
        this.current = chosen;
        this.provider = chosen.provider();
        this.metrics = metrics;
    }

    @Override
    public String provider() {
        return current.provider();
    }

    /** The chosen provider's, also when it failed: the ring's threads are laid out by it. */
    @Override
    public BatchPreference preferredBatch() {
        return chosen.preferredBatch();
    }

    @Override
    public int verify(SignatureBatch batch) {
        SignatureVerifier used = current;
        try {
            int validCount = used.verify(batch);
            if (!used.provider().equals(provider)) {
                reportReplacement(used);
            }
            return validCount;
        } catch (DeviceException e) {
            degrade(used, e);
            return current.verify(batch);
        }
    }

    /** The chosen provider's, also when it failed: they tell how. */
    @Override
    public Map<String, Long> counters() {
        return chosen.counters();
    }

    /** Several lanes may see the failure at once; only the first changes the provider. */
    private synchronized void degrade(SignatureVerifier used, DeviceException reason) {
        metrics.deviceFault();
        if (current == used) {
            if (used.provider().equals(REFERENCE)) {
                throw reason;
            }
            current = SignatureProviders.named(REFERENCE);
            provider = REFERENCE;
            failed = used;
            log.error("verifier {} failed, {} takes over", used.provider(), REFERENCE, reason);
        }
    }

    /** Several lanes may see the change at once; only the first reports it. */
    private synchronized void reportReplacement(SignatureVerifier used) {
        String now = used.provider();
        if (current == used && !now.equals(provider)) {
            metrics.deviceFault();
            log.error("verifier {} replaced its device, {} takes over", provider, now);
            provider = now;
        }
    }

    @Override
    public void close() {
        current.close();
        if (failed != null) {
            failed.close();
        }
    }
}
