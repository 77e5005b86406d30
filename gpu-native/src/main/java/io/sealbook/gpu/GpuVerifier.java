package io.sealbook.gpu;

import io.sealbook.crypto.BatchPreference;
import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.gpu.GpuCounters.Counter;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Divides a batch between the device and the CPU, and trusts the device only as far as it can be checked.
 *
 * <p>To the device go SM2 signatures of batches that are large enough. The CPU has the rest, what the device leaves
 * undecided, a sample of the verdicts as a check, and a few of the refused ones, because a broken device most likely
 * refuses what is valid. The first disagreement or fault opens the breaker: from then on everything is verified on the
 * CPU, and only a restart closes it. A caller notices only the time it takes.
 */
final class GpuVerifier implements SignatureVerifier {
    private static final System.Logger LOGGER = System.getLogger(GpuVerifier.class.getName());

    /** Kernel time hardly grows up to here: one thread verifies one signature, and a device runs thousands. */
    private static final int FULL_RATE_MIN = 4_096;

    private final RowEngine engine;
    private final SignatureVerifier cpu;
    private final GpuSettings config;
    private final GpuCounters counters;
    private final AtomicReference<String> breaker = new AtomicReference<>();
    private final AtomicLong verdictCount = new AtomicLong();
    private final ThreadLocal<Workspace> workspaces = ThreadLocal.withInitial(Workspace::new);

    /** What a calling thread keeps between batches. */
    private static final class Workspace {
        final RowRequest request = new RowRequest();
        /** The batch's entry of each row. */
        int[] entryOfRow = new int[64];

        CpuPart cpuPart = new CpuPart(64);

        void reserve(int entryCount) {
            if (entryOfRow.length < entryCount) {
                entryOfRow = new int[entryCount];
                cpuPart = new CpuPart(entryCount);
            }
        }
    }

    /**
     * Takes an engine and a verifier into its care.
     *
     * @param engine closed with this verifier
     * @param cpu closed with this verifier
     */
    GpuVerifier(RowEngine engine, SignatureVerifier cpu, GpuSettings config, GpuCounters counters) {
        this.engine = engine;
        this.cpu = cpu;
        this.config = config;
        this.counters = counters;
    }

    /** Returns {@code gpu}, or the name of the CPU's provider once the device is not used any more. */
    @Override
    public String provider() {
        return breaker.get() == null ? GpuProvider.NAME : cpu.provider();
    }

    /** The device has smaller batches than it fills with, but none that the settings leave to the CPU. */
    @Override
    public BatchPreference preferredBatch() {
        int least = Math.min(config.smallBatchMax(), SignatureBatch.CAPACITY_MAX - 1) + 1;
        return new BatchPreference(
                least, Math.max(least, FULL_RATE_MIN), SignatureBatch.CAPACITY_MAX, BatchPreference.Callers.ONE);
    }

    @Override
    public int verify(SignatureBatch batch) {
        if (batch.size() <= config.smallBatchMax() || breaker.get() != null) {
            return verifyOnCpu(batch);
        }
        try {
            Optional<Integer> validCount = verifyOnDevice(batch, workspaces.get());
            if (validCount.isPresent()) {
                return validCount.get();
            }
        } catch (DeviceException e) {
            if (openBreaker(e.getMessage())) {
                counters.add(Counter.DEVICE_FAULTS, 1);
            }
        }
        // The workspace may still be in the device's hands.
        workspaces.remove();
        return verifyOnCpu(batch);
    }

    @Override
    public Optional<String> deviceFault() {
        return Optional.ofNullable(breaker.get());
    }

    @Override
    public Map<String, Long> counters() {
        return counters.snapshot();
    }

    long count(Counter counter) {
        return counters.get(counter);
    }

    @Override
    public void close() {
        engine.close();
        cpu.close();
    }

    private int verifyOnCpu(SignatureBatch batch) {
        counters.add(Counter.CPU_SIGNATURES, batch.size());
        return cpu.verify(batch);
    }

    /** Returns the number of valid entries, or empty if a verdict of the device was wrong. */
    private Optional<Integer> verifyOnDevice(SignatureBatch batch, Workspace workspace) {
        RowRequest request = workspace.request;
        workspace.reserve(batch.size());
        request.clear();
        workspace.cpuPart.clear();
        for (int entry = 0; entry < batch.size(); entry++) {
            batch.setValid(entry, false);
            if (batch.key(entry).scheme() != SignatureScheme.SM2_SM3) {
                workspace.cpuPart.add(batch, entry);
            } else if (recoveryByte(batch, entry) == 0) {
                workspace.entryOfRow[request.size()] = entry;
                request.add(batch, entry);
            }
        }
        if (request.size() > 0) {
            engine.submit(request);
        }
        int validCount = decideOnCpu(batch, workspace.cpuPart);
        if (request.size() > 0) {
            engine.await(request);
        }
        workspace.cpuPart.clear();
        for (int row = 0; row < request.size(); row++) {
            int entry = workspace.entryOfRow[row];
            switch (request.verdict(row)) {
                case RowRequest.VALID -> {
                    batch.setValid(entry, true);
                    validCount++;
                }
                case RowRequest.INVALID -> {}
                case RowRequest.UNDECIDED -> workspace.cpuPart.add(batch, entry);
                default -> throw new DeviceException("the device gave the verdict " + request.verdict(row));
            }
        }
        counters.add(Counter.UNDECIDED_SIGNATURES, workspace.cpuPart.size());
        validCount += decideOnCpu(batch, workspace.cpuPart);
        return agreesWithCpu(batch, workspace) ? Optional.of(validCount) : Optional.empty();
    }

    /** Verifies entries on the CPU and records their verdicts; returns the number of valid ones. */
    private int decideOnCpu(SignatureBatch batch, CpuPart part) {
        if (part.size() == 0) {
            return 0;
        }
        counters.add(Counter.CPU_SIGNATURES, part.size());
        return part.decide(cpu, batch);
    }

    private boolean agreesWithCpu(SignatureBatch batch, Workspace workspace) {
        CpuPart checks = workspace.cpuPart;
        checks.clear();
        long first = verdictCount.getAndAdd(workspace.request.size());
        int refusalCount = 0;
        for (int row = 0; row < workspace.request.size(); row++) {
            int entry = workspace.entryOfRow[row];
            boolean isSampled = (first + row) % config.sampleInterval() == 0;
            boolean isRefused = workspace.request.verdict(row) == RowRequest.INVALID;
            if (isSampled || isRefused && refusalCount++ < config.refusalChecksMax()) {
                checks.add(batch, entry);
            }
        }
        if (checks.size() == 0) {
            return true;
        }
        counters.add(Counter.CHECKED_SIGNATURES, checks.size());
        int disagreementCount = checks.countDisagreements(cpu, batch);
        if (disagreementCount > 0) {
            counters.add(Counter.DISAGREEMENTS, disagreementCount);
            openBreaker("the device's verdict differed from the CPU's for " + disagreementCount + " of " + checks.size()
                    + " signatures checked");
        }
        return disagreementCount == 0;
    }

    /** Returns whether this opened it. */
    private boolean openBreaker(String reason) {
        boolean isFirst = breaker.compareAndSet(null, reason);
        if (isFirst) {
            LOGGER.log(
                    System.Logger.Level.ERROR,
                    "the GPU is not used until the node restarts, {0} verifies instead: {1}",
                    cpu.provider(),
                    reason);
        }
        return isFirst;
    }

    private static byte recoveryByte(SignatureBatch batch, int entry) {
        return batch.signatures()[batch.signatureOffset(entry) + SignatureScheme.SIGNATURE_LENGTH - 1];
    }
}
