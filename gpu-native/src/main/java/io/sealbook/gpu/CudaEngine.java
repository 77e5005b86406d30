package io.sealbook.gpu;

import io.sealbook.crypto.DeviceException;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rows through a CUDA device.
 *
 * <pre>
 *   callers ── requests ──▶ submitter ── lanes under way ──▶ completer ── verdicts ──▶ callers
 *                               ▲                                │
 *                               └────────── free lanes ──────────┘
 * </pre>
 *
 * The submitter owns the device: it puts all requests that have gathered into a lane and launches it. While all lanes
 * are under way, requests gather; so an idle device answers at once and a busy one works in large batches, without a
 * timer. The completer waits for lanes in the order of their launch. A failure ends the service: a context that has
 * seen an error cannot be used again.
 */
final class CudaEngine implements RowEngine {
    private static final long STOP_TIMEOUT_MS = 10_000;

    private final GpuSettings config;
    private final GpuCounters counters;
    private final BlockingQueue<RowRequest> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Lane> freeLanes;
    private final BlockingQueue<Lane> lanesUnderWay;
    private final Set<RowRequest> openRequests = ConcurrentHashMap.newKeySet();
    private final AtomicReference<DeviceException> failure = new AtomicReference<>();
    private final CompletableFuture<CudaSession> opened = new CompletableFuture<>();
    private final Thread submitter;
    private final Thread completer;
    private final String description;
    /** Whether a call of the driver may never return. */
    private volatile boolean isSilent;

    /**
     * Opens the device, which takes seconds when the driver has to compile the kernels.
     *
     * @throws DeviceException if that fails, or takes longer than the settings allow
     */
    CudaEngine(CudaDevice device, KernelImage image, GpuSettings config, GpuCounters counters) {
        this.config = config;
        this.counters = counters;
        freeLanes = new ArrayBlockingQueue<>(config.laneCount());
        lanesUnderWay = new ArrayBlockingQueue<>(config.laneCount());
        submitter = new Thread(() -> submitWhileServing(image), "gpu-submitter");
        completer = new Thread(this::completeWhileServing, "gpu-completer");
        submitter.setDaemon(true);
        completer.setDaemon(true);
        submitter.start();
        completer.start();
        awaitOpened();
        description =
                device + ", tables of " + config.generatorWindowBits() + " and " + config.keyWindowBits() + " bits";
    }

    private void awaitOpened() {
        try {
            opened.get(config.openTimeoutMs(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            close();
            throw new DeviceException("the device could not be opened: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            isSilent = true;
            close();
            throw new DeviceException("the device has not opened in " + config.openTimeoutMs() + " ms", e);
        } catch (InterruptedException e) {
            isSilent = true;
            close();
            Thread.currentThread().interrupt();
            throw new DeviceException("interrupted while the device was opened", e);
        }
    }

    @Override
    public void submit(RowRequest request) {
        request.begin();
        openRequests.add(request);
        requests.add(request);
        if (!isServing()) {
            // The thread that failed the engine may have looked before this request was added.
            request.fail(failure.get());
        }
    }

    @Override
    public void await(RowRequest request) {
        try {
            if (!request.await(config.answerTimeoutMs())) {
                DeviceException silence =
                        new DeviceException("the device has not answered in " + config.answerTimeoutMs() + " ms");
                isSilent = true;
                stop(silence);
                throw silence;
            }
        } finally {
            openRequests.remove(request);
        }
    }

    @Override
    public String description() {
        return description;
    }

    /**
     * Lets the threads end and destroys the context, unless the device hangs: a thread whose call never returns ends
     * with the process. Requests still under way fail.
     */
    @Override
    public void close() {
        stop(new DeviceException("the device was closed"));
        if (isSilent) {
            return;
        }
        try {
            submitter.join(STOP_TIMEOUT_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isServing() {
        return failure.get() == null;
    }

    /** Ends the service and fails all requests with the reason; a later reason changes nothing. */
    private void stop(DeviceException reason) {
        failure.compareAndSet(null, reason);
        openRequests.forEach(request -> request.fail(failure.get()));
        submitter.interrupt();
        completer.interrupt();
    }

    private void submitWhileServing(KernelImage image) {
        CudaSession session = null;
        try {
            session = new CudaSession(config.deviceOrdinal(), image);
            VerifyKernels kernels = new VerifyKernels(session, config);
            for (int i = 0; i < config.laneCount(); i++) {
                freeLanes.add(new Lane(session, config.laneRowsMax()));
            }
            opened.complete(session);
            LaneFiller filler = new LaneFiller(config, kernels, counters, freeLanes, lanesUnderWay);
            while (isServing()) {
                RowRequest request = requests.poll();
                if (request == null) {
                    filler.flush();
                    request = requests.take();
                }
                filler.add(request);
            }
        } catch (InterruptedException e) {
            // stop() interrupts, after it has failed all requests.
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            opened.completeExceptionally(e);
            stop(new DeviceException("the device failed: " + e, e));
        } finally {
            close(session);
        }
    }

    private void completeWhileServing() {
        try {
            opened.join().attach();
            while (isServing()) {
                Lane lane = lanesUnderWay.take();
                lane.finish();
                freeLanes.add(lane);
            }
        } catch (InterruptedException | CompletionException e) {
            // stop() interrupts, after it has failed all requests; a device that did not open is the submitter's
            // affair.
            Thread.currentThread().interrupt();
        } catch (RuntimeException | LinkageError e) {
            stop(new DeviceException("the device failed: " + e, e));
        }
    }

    /** The last act of the submitter. A completer that still waits for a hanging device keeps the context. */
    private void close(CudaSession session) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            completer.join(STOP_TIMEOUT_MS);
            if (session != null && !completer.isAlive()) {
                session.close();
            }
        } catch (InterruptedException e) {
            wasInterrupted = true;
        } catch (RuntimeException e) {
            // After a device error the driver refuses everything, this too; why it stopped is known already.
            stop(new DeviceException("the device failed while closing: " + e, e));
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
