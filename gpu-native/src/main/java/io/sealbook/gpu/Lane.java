package io.sealbook.gpu;

import static jcuda.driver.JCudaDriver.cuEventRecord;
import static jcuda.driver.JCudaDriver.cuEventSynchronize;
import static jcuda.driver.JCudaDriver.cuMemcpyDtoHAsync;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUstream;

/**
 * A batch on its way through the device: pinned buffers, their counterparts in device memory, a stream and an event.
 *
 * <p>Rows under keys with tables grow from the front of the buffer, rows under other keys from its end, because a
 * kernel takes only one kind; those other keys travel with the batch. Filled and launched by the submitter, finished by
 * the completer; the thread that takes the lane from a queue has it alone.
 */
final class Lane {
    private final int rowsMax;
    private final CudaSession.PinnedMemory hostRows;
    private final CudaSession.PinnedMemory hostKeys;
    private final CudaSession.PinnedMemory hostVerdicts;
    private final CUdeviceptr rows;
    private final CUdeviceptr keys;
    private final CUdeviceptr verdicts;
    private final CUstream stream;
    private final CUevent done;
    private final RowRequest[] requestOf;
    private final int[] rowOf;
    private int knownCount;
    private int anyCount;
    private int keyCount;

    Lane(CudaSession session, int rowsMax) {
        this.rowsMax = rowsMax;
        hostRows = session.allocatePinned((long) rowsMax * SignatureRows.ROW_LENGTH);
        hostKeys = session.allocatePinned((long) rowsMax * SignatureRows.KEY_LENGTH);
        hostVerdicts = session.allocatePinned(rowsMax);
        rows = session.allocate((long) rowsMax * SignatureRows.ROW_LENGTH);
        keys = session.allocate((long) rowsMax * SignatureRows.KEY_LENGTH);
        verdicts = session.allocate(rowsMax);
        stream = session.stream();
        done = session.event();
        requestOf = new RowRequest[rowsMax];
        rowOf = new int[rowsMax];
    }

    void clear() {
        knownCount = 0;
        anyCount = 0;
        keyCount = 0;
    }

    boolean isEmpty() {
        return knownCount + anyCount == 0;
    }

    boolean isFull() {
        return knownCount + anyCount == rowsMax;
    }

    int knownCount() {
        return knownCount;
    }

    int anyCount() {
        return anyCount;
    }

    /** Adds a row under the key with a table in this slot. The lane must not be full. */
    void addKnown(RowRequest request, int row, int slot) {
        put(knownCount++, request, row, slot);
    }

    /** Adds a row under a key of this lane. The lane must not be full. */
    void addAny(RowRequest request, int row, int laneKey) {
        put(rowsMax - ++anyCount, request, row, laneKey);
    }

    /** Adds a key for rows without a table and returns its index. There is room for as many as there are rows. */
    int addKey(byte[] keyRecord) {
        hostKeys.bytes().put(keyCount * SignatureRows.KEY_LENGTH, keyRecord);
        return keyCount++;
    }

    private void put(int place, RowRequest request, int row, int keyIndex) {
        int offset = place * SignatureRows.ROW_LENGTH;
        hostRows.bytes().put(offset, request.rows().bytes(), row * SignatureRows.ROW_LENGTH, SignatureRows.ROW_LENGTH);
        hostRows.bytes().putInt(offset + SignatureRows.KEY_INDEX_OFFSET, keyIndex);
        requestOf[place] = request;
        rowOf[place] = row;
    }

    /** Puts copies and kernels on the stream and returns at once. */
    void launch(VerifyKernels kernels) {
        int firstAny = rowsMax - anyCount;
        if (knownCount > 0) {
            copyRowsToDevice(0, knownCount);
            kernels.verifyKnown(stream, rows, verdicts, knownCount);
            copyVerdictsToHost(0, knownCount);
        }
        if (anyCount > 0) {
            copyRowsToDevice(firstAny, anyCount);
            cuMemcpyHtoDAsync(keys, hostKeys.pointer(), (long) keyCount * SignatureRows.KEY_LENGTH, stream);
            kernels.verifyAny(stream, at(rows, rowOffset(firstAny)), keys, at(verdicts, firstAny), anyCount);
            copyVerdictsToHost(firstAny, anyCount);
        }
        cuEventRecord(done, stream);
    }

    /** Waits for the device. */
    void await() {
        cuEventSynchronize(done);
    }

    /** Waits for the device and hands the verdicts to their requests. */
    void finish() {
        await();
        deliver(0, knownCount);
        deliver(rowsMax - anyCount, rowsMax);
    }

    /** Gives its memory back. Nothing of it may be under way. */
    void release(CudaSession session) {
        session.release(rows, keys, verdicts);
        session.release(hostRows, hostKeys, hostVerdicts);
    }

    private void deliver(int from, int to) {
        int settledFrom = from;
        for (int place = from; place < to; place++) {
            RowRequest request = requestOf[place];
            request.setVerdict(rowOf[place], hostVerdicts.bytes().get(place));
            requestOf[place] = null;
            if (place + 1 == to || requestOf[place + 1] != request) {
                request.settle(place + 1 - settledFrom);
                settledFrom = place + 1;
            }
        }
    }

    private void copyRowsToDevice(int first, int count) {
        cuMemcpyHtoDAsync(
                at(rows, rowOffset(first)),
                hostRows.pointer().withByteOffset(rowOffset(first)),
                rowOffset(count),
                stream);
    }

    private void copyVerdictsToHost(int first, int count) {
        cuMemcpyDtoHAsync(hostVerdicts.pointer().withByteOffset(first), at(verdicts, first), count, stream);
    }

    private static CUdeviceptr at(CUdeviceptr memory, long offsetBytes) {
        return memory.withByteOffset(offsetBytes);
    }

    private static long rowOffset(int row) {
        return (long) row * SignatureRows.ROW_LENGTH;
    }
}
