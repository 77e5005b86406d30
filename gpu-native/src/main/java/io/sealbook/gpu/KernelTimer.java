package io.sealbook.gpu;

import static jcuda.driver.JCudaDriver.cuEventElapsedTime;
import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoH;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import io.sealbook.crypto.DeviceException;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.VerificationKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import jcuda.Pointer;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/**
 * Runs this module's kernels on a device and returns how fast they were: the door for measurements, which the node does
 * not use. Each call that verifies leaves its verdicts in the batch, for the caller to compare.
 *
 * <p>Belongs to the thread that opened it.
 */
public final class KernelTimer implements AutoCloseable {
    private static final double NS_PER_SECOND = 1e9;
    private static final double MS_PER_SECOND = 1e3;
    private static final long NS_PER_MS = 1_000_000;
    /** The time of a kernel that is faster than the resolution of the device's clock. */
    private static final double SECONDS_MIN = 1e-6;

    private static final int REPEATS_MAX = 1_000;
    private static final int MULTIPLY_REPEATS = 3;
    /** Two field elements. */
    private static final int PAIR_LENGTH = 64;

    private final List<VerificationKey> keys;
    /** The slot of a key's table. */
    private final Map<VerificationKey, Integer> slots = new HashMap<>();

    private final CudaSession session;
    private final VerifyKernels kernels;
    private final CUstream stream;
    private final CUevent start;
    private final CUevent end;

    /** Which kernel verifies. */
    public enum Kernel {
        /** For keys with tables. */
        KNOWN_KEYS,
        /** For keys without. */
        ANY_KEYS
    }

    /**
     * Opens the device and makes the tables of all keys.
     *
     * @param settings device, block size, windows and memory of tables; room for all keys
     * @param keys SM2 keys of all batches to come
     * @throws jcuda.CudaException if the driver refuses
     * @throws DeviceException if the device has too little memory for the tables
     */
    public KernelTimer(GpuSettings settings, List<VerificationKey> keys) {
        this(settings, keys, KernelImage.ofResource());
    }

    KernelTimer(GpuSettings settings, List<VerificationKey> keys, KernelImage image) {
        this.keys = List.copyOf(keys);
        session = new CudaSession(settings.deviceOrdinal(), image);
        kernels = new VerifyKernels(session, settings);
        stream = session.stream();
        start = session.timingEvent();
        end = session.timingEvent();
        if (keys.size() > kernels.slotCount()) {
            session.close();
            throw new DeviceException(
                    "device memory holds " + kernels.slotCount() + " tables, the keys need " + keys.size());
        }
        for (int from = 0; from < keys.size(); from += VerifyKernels.TABLES_AT_ONCE) {
            int to = Math.min(keys.size(), from + VerifyKernels.TABLES_AT_ONCE);
            List<byte[]> records = keys.subList(from, to).stream()
                    .map(SignatureRows::keyRecord)
                    .toList();
            kernels.makeTables(records, IntStream.range(from, to).toArray());
        }
        for (int i = 0; i < keys.size(); i++) {
            slots.put(keys.get(i), i);
        }
    }

    /**
     * Returns field multiplications per second.
     *
     * @param pairCount pairs of field elements, one thread per pair
     * @param times multiplications of each thread, one after another
     */
    public double multiplicationsPerSecond(int pairCount, int times) {
        CUdeviceptr values = session.allocate((long) pairCount * PAIR_LENGTH);
        Runnable launch = () -> kernels.multiply(stream, values, pairCount, times);
        secondsOnDevice(launch, 1);
        double seconds = secondsOnDevice(launch, MULTIPLY_REPEATS);
        session.release(values);
        return (double) MULTIPLY_REPEATS * pairCount * times / seconds;
    }

    /**
     * Returns verifications per second of a kernel alone: rows and verdicts stay on the device.
     *
     * @param kernel which one
     * @param batch signatures under this object's keys; has the device's verdicts afterwards
     * @param rowCount signatures per launch; the batch is repeated to fill it
     * @param blockSize threads in a block, a multiple of 32 up to 256
     * @param millis about how long to measure
     * @throws DeviceException if the device's verdicts are undecided or differ between repetitions
     */
    public double withoutCopies(Kernel kernel, SignatureBatch batch, int rowCount, int blockSize, int millis) {
        kernels.useBlockSize(blockSize);
        SignatureRows rows = rows(batch, rowCount);
        long rowsLength = (long) rowCount * SignatureRows.ROW_LENGTH;
        long keysLength = (long) keys.size() * SignatureRows.KEY_LENGTH;
        CudaSession.PinnedMemory hostRows = session.allocatePinned(rowsLength);
        CudaSession.PinnedMemory hostKeys = session.allocatePinned(keysLength);
        CUdeviceptr deviceRows = session.allocate(rowsLength);
        CUdeviceptr deviceKeys = session.allocate(keysLength);
        CUdeviceptr deviceVerdicts = session.allocate(rowCount);
        hostRows.bytes().put(0, rows.bytes(), 0, (int) rowsLength);
        for (int i = 0; i < keys.size(); i++) {
            hostKeys.bytes().put(i * SignatureRows.KEY_LENGTH, SignatureRows.keyRecord(keys.get(i)));
        }
        cuMemcpyHtoDAsync(deviceRows, hostRows.pointer(), rowsLength, stream);
        cuMemcpyHtoDAsync(deviceKeys, hostKeys.pointer(), keysLength, stream);
        Runnable launch = kernel == Kernel.KNOWN_KEYS
                ? () -> kernels.verifyKnown(stream, deviceRows, deviceVerdicts, rowCount)
                : () -> kernels.verifyAny(stream, deviceRows, deviceKeys, deviceVerdicts, rowCount);
        double once = Math.max(secondsOnDevice(launch, 1), SECONDS_MIN);
        int repeats = (int) Math.max(1, Math.min(REPEATS_MAX, millis / MS_PER_SECOND / once));
        double seconds = secondsOnDevice(launch, repeats);
        byte[] verdicts = new byte[rowCount];
        cuMemcpyDtoH(Pointer.to(verdicts), deviceVerdicts, rowCount);
        session.release(deviceRows, deviceKeys, deviceVerdicts);
        session.release(hostRows, hostKeys);
        keepVerdicts(batch, rowCount, row -> verdicts[row]);
        return (double) repeats * rowCount / seconds;
    }

    /**
     * Returns verifications per second with the copies: rows to the device, verdicts back.
     *
     * @param kernel which one
     * @param batch signatures under this object's keys; has the device's verdicts afterwards
     * @param rowCount signatures per launch; the batch is repeated to fill it
     * @param blockSize threads in a block, a multiple of 32 up to 256
     * @param laneCount launches in flight
     * @param millis about how long to measure
     * @throws DeviceException if the device's verdicts are undecided or differ between repetitions
     */
    public double withCopies(
            Kernel kernel, SignatureBatch batch, int rowCount, int blockSize, int laneCount, int millis) {
        kernels.useBlockSize(blockSize);
        RowRequest request = new RowRequest();
        for (int row = 0; row < rowCount; row++) {
            request.add(batch, row % batch.size());
        }
        List<Lane> lanes = new ArrayList<>();
        for (int i = 0; i < laneCount; i++) {
            lanes.add(filledLane(request, kernel));
        }
        lanes.forEach(lane -> lane.launch(kernels));
        lanes.forEach(Lane::await);
        long beganNs = System.nanoTime();
        long deadlineNs = beganNs + millis * NS_PER_MS;
        long launchCount = 0;
        do {
            for (Lane lane : lanes) {
                lane.await();
                lane.launch(kernels);
                launchCount++;
            }
        } while (System.nanoTime() - deadlineNs < 0);
        lanes.forEach(Lane::await);
        double seconds = (System.nanoTime() - beganNs) / NS_PER_SECOND;
        request.begin();
        lanes.get(0).finish();
        lanes.forEach(lane -> lane.release(session));
        keepVerdicts(batch, rowCount, request::verdict);
        return (double) launchCount * rowCount / seconds;
    }

    /** Releases the device with all memory of this object. */
    @Override
    public void close() {
        session.close();
    }

    /** Rows that count keys as the device's memory does. */
    private SignatureRows rows(SignatureBatch batch, int rowCount) {
        SignatureRows rows = new SignatureRows();
        for (int row = 0; row < rowCount; row++) {
            int entry = row % batch.size();
            rows.add(batch, entry, batch.key(entry), slots.get(batch.key(entry)));
        }
        return rows;
    }

    private Lane filledLane(RowRequest request, Kernel kernel) {
        boolean isKnown = kernel == Kernel.KNOWN_KEYS;
        Lane lane = new Lane(session, request.size());
        lane.clear();
        int[] places = request.keys().stream()
                .mapToInt(key -> isKnown ? slots.get(key) : lane.addKey(SignatureRows.keyRecord(key)))
                .toArray();
        for (int row = 0; row < request.size(); row++) {
            int place = places[request.rows().keyIndex(row)];
            if (isKnown) {
                lane.addKnown(request, row, place);
            } else {
                lane.addAny(request, row, place);
            }
        }
        return lane;
    }

    /** Marks the batch; every repetition of an entry must have the same verdict. */
    static void keepVerdicts(SignatureBatch batch, int rowCount, IntUnaryOperator verdictOfRow) {
        for (int row = 0; row < rowCount; row++) {
            int entry = row % batch.size();
            int verdict = verdictOfRow.applyAsInt(row);
            boolean isValid = verdict == RowRequest.VALID;
            if (!isValid && verdict != RowRequest.INVALID) {
                throw new DeviceException("the device's verdict on row " + row + " was " + verdict);
            }
            if (row >= batch.size() && batch.isValid(entry) != isValid) {
                throw new DeviceException("the device's verdict on row " + row + " was " + verdict
                        + ", on an earlier row with the same signature it was not");
            }
            batch.setValid(entry, isValid);
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
        return milliseconds[0] / MS_PER_SECOND;
    }
}
