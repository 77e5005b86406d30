package io.sealbook.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Gives bytes to a decoder and checks, besides its promise, that it allocates no more than its input explains. */
public final class Probe {
    /** Bytes that any input may cost: files are opened, buffers made. */
    private static final long ALLOCATED_BASE_MAX = 16 << 20;
    /** Bytes that each byte of input may cost. */
    private static final long ALLOCATED_PER_BYTE_MAX = 4_096;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Probe() {}

    /**
     * Gives bytes to a decoder.
     *
     * @param decoder to probe
     * @param bytes any; not changed
     * @throws Throwable what breaks the promise
     */
    public static void probe(Decoder decoder, byte[] bytes) throws Throwable {
        long limit = ALLOCATED_BASE_MAX + bytes.length * ALLOCATED_PER_BYTE_MAX;
        // The first call also makes what the process keeps: tables, verifiers.
        if (allocated(decoder, bytes) > limit) {
            long again = allocated(decoder, bytes);
            if (again > limit) {
                throw new AssertionError(decoder.name() + " allocated " + again + " bytes for " + bytes.length);
            }
        }
    }

    private static long allocated(Decoder decoder, byte[] bytes) throws Throwable {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        decoder.promise().check(bytes.clone());
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
