package io.sealbook.gpu;

import static jcuda.driver.JCudaDriver.cuEventElapsedTime;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import io.sealbook.crypto.SignatureBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/** Times of kernels on prepared rows, without and with the copies; every launch's verdicts are known, and those of the last are compared. */
final class KernelSweep implements AutoCloseable {
    private final SweepVectors vectors;
    private final SweepOptions options;
    private final GpuSettings config;
    private final CudaSession session;
    private final VerifyKernels kernels;
    private final CUstream stream;
    private final CUevent start;
    private final CUevent end;

    /** Opens the device and makes all tables. */
    KernelSweep(SweepVectors vectors, SweepOptions options, String window, KernelImage image) {
        this.vectors = vectors;
        this.options = options;
        config = options.config(window, 1, 1, 1);
        session = new CudaSession(config.deviceOrdinal(), image);
        kernels = new VerifyKernels(session, config);
        stream = session.stream();
        start = session.timingEvent();
        end = session.timingEvent();
        List<byte[]> records =
                vectors.keys().stream().map(SignatureRows::keyRecord).toList();
        if (records.size() > kernels.slotCount()) {
            throw new IllegalStateException(
                    "there is memory for " + kernels.slotCount() + " tables, not " + records.size());
        }
        for (int from = 0; from < records.size(); from += VerifyKernels.TABLES_AT_ONCE) {
            int to = Math.min(records.size(), from + VerifyKernels.TABLES_AT_ONCE);
            int first = from;
            int[] slots = java.util.stream.IntStream.range(first, to).toArray();
            kernels.makeTables(records.subList(from, to), slots);
        }
    }

    /** Returns field multiplications a second. */
    double multiplicationsPerSecond() {
        int pairs = Arrays.stream(options.sizes()).max().orElseThrow();
        int times = 512;
        CUdeviceptr values = session.allocate(pairs * 64L);
        kernels.multiply(stream, values, pairs, times);
        double seconds = secondsOnDevice(() -> kernels.multiply(stream, values, pairs, times), 3);
        return 3.0 * pairs * times / seconds;
    }

    /** Returns verifications a second of the kernel alone, rows and verdicts staying on the device. */
    double withoutCopies(boolean isKnown, int size, int blockSize) {
        kernels.useBlockSize(blockSize);
        RowRequest request = request(size);
        CudaSession.PinnedMemory host = session.allocatePinned((long) size * SignatureRows.ROW_LENGTH);
        host.bytes().put(0, request.rows().bytes(), 0, size * SignatureRows.ROW_LENGTH);
        CUdeviceptr rows = session.allocate((long) size * SignatureRows.ROW_LENGTH);
        CUdeviceptr keys = session.allocate((long) vectors.keys().size() * SignatureRows.KEY_LENGTH);
        CUdeviceptr verdicts = session.allocate(size);
        cuMemcpyHtoDAsync(rows, host.pointer(), (long) size * SignatureRows.ROW_LENGTH, stream);
        CudaSession.PinnedMemory hostKeys =
                session.allocatePinned((long) vectors.keys().size() * SignatureRows.KEY_LENGTH);
        for (int key = 0; key < vectors.keys().size(); key++) {
            hostKeys.bytes()
                    .put(
                            key * SignatureRows.KEY_LENGTH,
                            SignatureRows.keyRecord(vectors.keys().get(key)));
        }
        cuMemcpyHtoDAsync(keys, hostKeys.pointer(), (long) vectors.keys().size() * SignatureRows.KEY_LENGTH, stream);
        Runnable launch = isKnown
                ? () -> kernels.verifyKnown(stream, rows, verdicts, size)
                : () -> kernels.verifyAny(stream, rows, keys, verdicts, size);
        double once = secondsOnDevice(launch, 1);
        int repeats = (int) Math.max(1, Math.min(1_000, options.millis() / 1e3 / Math.max(once, 1e-6)));
        double seconds = secondsOnDevice(launch, repeats);
        byte[] found = new byte[size];
        cuMemcpyDtoH(Pointer.to(found), verdicts, size);
        for (int i = 0; i < size; i++) {
            check(found[i], i);
        }
        session.release(rows, keys, verdicts);
        session.release(host, hostKeys);
        return (double) repeats * size / seconds;
    }

    /** Returns verifications a second with rows copied to the device and verdicts copied back, so many lanes at a time. */
    double withCopies(boolean isKnown, int size, int blockSize, int laneCount) {
        kernels.useBlockSize(blockSize);
        RowRequest request = request(size);
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < laneCount; i++) {
            lanes.add(filled(request, size, isKnown));
        }
        lanes.forEach(lane -> lane.launch(kernels));
        lanes.forEach(Lane::await);
        long began = System.nanoTime();
        long deadline = began + options.millis() * 1_000_000L;
        long launchCount = 0;
        do {
            for (Lane lane : lanes) {
                lane.await();
                lane.launch(kernels);
                launchCount++;
            }
        } while (System.nanoTime() < deadline);
        lanes.forEach(Lane::await);
        double seconds = (System.nanoTime() - began) / 1e9;
        request.begin();
        lanes.get(0).finish();
        for (int i = 0; i < size; i++) {
            check(request.verdict(i), i);
        }
        lanes.forEach(lane -> lane.release(session));
        return launchCount * size / seconds;
    }

    @Override
    public void close() {
        session.close();
    }

    private Lane filled(RowRequest request, int size, boolean isKnown) {
        Lane lane = new Lane(session, size);
        lane.clear();
        int[] places = new int[vectors.keys().size()];
        for (int key = 0; key < places.length && key < size; key++) {
            places[key] = isKnown
                    ? key
                    : lane.addKey(SignatureRows.keyRecord(vectors.keys().get(key)));
        }
        for (int row = 0; row < size; row++) {
            int place = places[request.rows().keyIndex(row)];
            if (isKnown) {
                lane.addKnown(request, row, place);
            } else {
                lane.addAny(request, row, place);
            }
        }
        return lane;
    }

    /** Rows of the first vectors; a row's key index is that of the vectors, because keys come in their order. */
    private RowRequest request(int size) {
        SignatureBatch batch = vectors.batch(0, Math.min(size, SignatureBatch.CAPACITY_MAX));
        RowRequest request = new RowRequest();
        for (int i = 0; i < size; i++) {
            request.add(batch, i % batch.size());
        }
        return request;
    }

    private void check(byte verdict, int row) {
        int i = row % Math.min(vectors.count(), SignatureBatch.CAPACITY_MAX);
        if (verdict != (vectors.isValid(i) ? RowRequest.VALID : RowRequest.INVALID)) {
            throw new IllegalStateException("wrong verdict " + verdict + " on row " + row);
        }
    }

    private double secondsOnDevice(Runnable launch, int repeats) {
        cuStreamSynchronize(stream);
        cuEventRecord(start, stream);
        for (int i = 0; i < repeats; i++) {
            launch.run();
        }
        cuEventRecord(end, stream);
        cuEventSynchronize(end);
        float[] milliseconds = new float[1];
        cuEventElapsedTime(milliseconds, start, end);
        return milliseconds[0] / 1e3;
    }
}
