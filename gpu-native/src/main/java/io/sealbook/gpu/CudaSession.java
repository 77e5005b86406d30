package io.sealbook.gpu;

import static jcuda.driver.CUctx_flags.CU_CTX_SCHED_BLOCKING_SYNC;
import static jcuda.driver.CUevent_flags.CU_EVENT_BLOCKING_SYNC;
import static jcuda.driver.CUevent_flags.CU_EVENT_DISABLE_TIMING;
import static jcuda.driver.CUstream_flags.CU_STREAM_NON_BLOCKING;
import static jcuda.driver.JCudaDriver.cuCtxCreate;
import static jcuda.driver.JCudaDriver.cuCtxDestroy;
import static jcuda.driver.JCudaDriver.cuCtxSetCurrent;
import static jcuda.driver.JCudaDriver.cuDeviceGet;
import static jcuda.driver.JCudaDriver.cuEventCreate;
import static jcuda.driver.JCudaDriver.cuLaunchKernel;
import static jcuda.driver.JCudaDriver.cuMemAlloc;
import static jcuda.driver.JCudaDriver.cuMemFree;
import static jcuda.driver.JCudaDriver.cuMemFreeHost;
import static jcuda.driver.JCudaDriver.cuMemGetInfo;
import static jcuda.driver.JCudaDriver.cuMemHostAlloc;
import static jcuda.driver.JCudaDriver.cuModuleGetFunction;
import static jcuda.driver.JCudaDriver.cuModuleLoadData;
import static jcuda.driver.JCudaDriver.cuStreamCreate;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUstream;

/**
 * A context on one device with the kernels loaded. Whatever is allocated here lives until {@link #close}.
 *
 * <p>The context belongs to threads, not to this object: the thread that opens a session has it, every other must
 * {@link #attach} before it calls anything here. After a device error the context cannot be used again, and
 * {@link jcuda.CudaException} comes from every call.
 */
final class CudaSession implements AutoCloseable {
    private final CUcontext context = new CUcontext();
    private final CUmodule module = new CUmodule();

    /** Memory that the device reaches by itself. */
    record PinnedMemory(Pointer pointer, ByteBuffer bytes) {}

    /**
     * Opens the device and has the driver compile the kernels: seconds at the first time on a machine, until the
     * driver's cache knows them.
     *
     * @throws jcuda.CudaException if the driver refuses
     */
    CudaSession(int deviceOrdinal, KernelImage image) {
        CUdevice device = new CUdevice();
        cuDeviceGet(device, deviceOrdinal);
        cuCtxCreate(context, CU_CTX_SCHED_BLOCKING_SYNC, device);
        cuModuleLoadData(module, image.text());
    }

    /** Gives the context to the calling thread. */
    void attach() {
        cuCtxSetCurrent(context);
    }

    CUfunction function(String name) {
        CUfunction function = new CUfunction();
        cuModuleGetFunction(function, module, name);
        return function;
    }

    CUdeviceptr allocate(long sizeBytes) {
        CUdeviceptr memory = new CUdeviceptr();
        cuMemAlloc(memory, sizeBytes);
        return memory;
    }

    PinnedMemory allocatePinned(long sizeBytes) {
        Pointer pointer = new Pointer();
        cuMemHostAlloc(pointer, sizeBytes, 0);
        return new PinnedMemory(pointer, pointer.getByteBuffer(0, sizeBytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    /** Gives memory back before the session ends. */
    void release(CUdeviceptr... memories) {
        for (CUdeviceptr memory : memories) {
            cuMemFree(memory);
        }
    }

    /** Gives memory back before the session ends. */
    void release(PinnedMemory... memories) {
        for (PinnedMemory memory : memories) {
            cuMemFreeHost(memory.pointer());
        }
    }

    long freeBytes() {
        long[] free = new long[1];
        long[] total = new long[1];
        cuMemGetInfo(free, total);
        return free[0];
    }

    CUstream stream() {
        CUstream stream = new CUstream();
        cuStreamCreate(stream, CU_STREAM_NON_BLOCKING);
        return stream;
    }

    /** Returns an event for which a thread can wait without spinning. */
    CUevent event() {
        CUevent event = new CUevent();
        cuEventCreate(event, CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING);
        return event;
    }

    /** Returns an event that remembers when the device passed it. */
    CUevent timingEvent() {
        CUevent event = new CUevent();
        cuEventCreate(event, CU_EVENT_BLOCKING_SYNC);
        return event;
    }

    /**
     * Starts a kernel with one thread for each of {@code threadCount} pieces of work.
     *
     * @param arguments one pointer to each argument
     */
    static void launch(CUfunction function, long threadCount, int blockSize, CUstream stream, Pointer... arguments) {
        int blockCount = Math.toIntExact((threadCount + blockSize - 1) / blockSize);
        cuLaunchKernel(function, blockCount, 1, 1, blockSize, 1, 1, 0, stream, Pointer.to(arguments), null);
    }

    /** Makes a kernel's argument. */
    static Pointer argument(int value) {
        return Pointer.to(new int[] {value});
    }

    /** Makes a kernel's argument. */
    static Pointer argument(CUdeviceptr value) {
        return Pointer.to(value);
    }

    /** Destroys the context with everything made in it. The calling thread does not need the context afterwards. */
    @Override
    public void close() {
        cuCtxDestroy(context);
    }
}
