package io.sealbook.consensus.ingress;

import io.sealbook.consensus.status.NodeMetrics;
import io.sealbook.consensus.status.VerifierState;
import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Verifies with the chosen provider until its device fails, then with the fastest other one. A provider may also
 * replace its device itself, and then reports another name. Every fault is logged, counted and part of the node's
 * status, also one that the choice has met; a failed device is not tried again before a restart. Thread-safe.
 */
public final class DegradingVerifier implements SignatureVerifier {
    private static final Logger log = LoggerFactory.getLogger(DegradingVerifier.class);

    private final SignatureVerifier chosen;
    private final Function<String, SignatureProviders.Choice> others;
    private final NodeMetrics metrics;
    private volatile SignatureVerifier current;
    private volatile VerifierState state;
    private SignatureVerifier failed;

    /**
     * @param choice in whose verifier it takes over the ownership; each of its faults counts
     * @param others chooses among all providers but the named one, if a device fails
     * @param metrics counts faults
     */
    public DegradingVerifier(
            SignatureProviders.Choice choice, Function<String, SignatureProviders.Choice> others, NodeMetrics metrics) {
        this.chosen = choice.verifier();
        this.others = others;
        this.metrics = metrics;
        current = chosen;
        List<String> faults = VerifierChoice.faults(choice);
        faults.forEach(fault -> metrics.deviceFault());
        state = new VerifierState(chosen.provider(), choice.verificationsPerSecond(), String.join("; ", faults));
    }

    @Override
    public String provider() {
        return current.provider();
    }

    /** Returns what verifies at present; any thread. */
    public VerifierState state() {
        return state;
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
            if (!used.provider().equals(state.provider())) {
                reportReplacement(used);
            }
            return validCount;
        } catch (DeviceException e) {
            degrade(used, e);
            return current.verify(batch);
        }
    }

    @Override
    public Map<String, Long> counters() {
        return chosen.counters();
    }

    @Override
    public Optional<String> deviceFault() {
        String fault = state.fault();
        return fault.isEmpty() ? Optional.empty() : Optional.of(fault);
    }

    /** Several lanes may see the failure at once; only the first changes the provider. */
    private synchronized void degrade(SignatureVerifier used, DeviceException reason) {
        if (current != used) {
            return;
        }
        metrics.deviceFault();
        if (failed != null) {
            // What took over has failed too, and it is what remains.
            throw reason;
        }
        SignatureProviders.Choice next = others.apply(used.provider());
        failed = used;
        current = next.verifier();
        state = new VerifierState(current.provider(), next.verificationsPerSecond(), reason.getMessage());
        log.error("verifier {} failed, {} takes over", used.provider(), current.provider(), reason);
    }

    /** Several lanes may see the change at once; only the first reports it. */
    private synchronized void reportReplacement(SignatureVerifier used) {
        String now = used.provider();
        String before = state.provider();
        if (current == used && !now.equals(before)) {
            metrics.deviceFault();
            String fault = used.deviceFault().orElse("no reason given");
            state = new VerifierState(now, 0, fault);
            log.error("verifier {} replaced its device, {} takes over: {}", before, now, fault);
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
