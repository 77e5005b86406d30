package io.sealbook.gpu;

import static io.sealbook.gpu.CudaSession.argument;
import static jcuda.driver.JCudaDriver.cuMemcpyHtoDAsync;
import static jcuda.driver.JCudaDriver.cuStreamSynchronize;

import java.util.List;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUfunction;
import jcuda.driver.CUstream;

/** The kernels of one session, the generator's table, and room for the tables of keys. Called by the submitter only. */
final class VerifyKernels {
    /** Tables made by one launch. */
    static final int TABLES_AT_ONCE = 16;

    private static final int SLOTS_LENGTH = TABLES_AT_ONCE * Integer.BYTES;
    private static final int STAGING_LENGTH = SLOTS_LENGTH + TABLES_AT_ONCE * SignatureRows.KEY_LENGTH;

    private final CUfunction verifyKnown;
    private final CUfunction verifyAny;
    private final CUfunction makeTables;
    private final CUfunction multiplyChain;
    private int blockSize;
    private final CombTable generatorTable;
    private final CombTable keyTable;
    private final int slotCount;
    private final CUdeviceptr generatorPoints;
    private final CUdeviceptr keys;
    private final CUdeviceptr keyPoints;
    private final CUdeviceptr growth;
    private final CUdeviceptr slots;
    private final CudaSession.PinnedMemory staging;
    private final CUstream stream;

    /** Allocates memory and makes the generator's table. */
    VerifyKernels(CudaSession session, GpuSettings config) {
        verifyKnown = session.function(KernelImage.VERIFY_KNOWN_KEYS);
        verifyAny = session.function(KernelImage.VERIFY_ANY_KEYS);
        makeTables = session.function(KernelImage.MAKE_TABLES);
        multiplyChain = session.function(KernelImage.MULTIPLY_CHAIN);
        blockSize = config.blockSize();
        generatorTable = config.generatorTable();
        keyTable = config.keyTable();
        stream = session.stream();
        staging = session.allocatePinned(STAGING_LENGTH);
        slots = session.allocate(SLOTS_LENGTH);
        growth = session.allocate(Math.max(generatorTable.growthBytes(), TABLES_AT_ONCE * keyTable.growthBytes()));
        generatorPoints = session.allocate(generatorTable.sizeBytes());
        long budgetBytes = Math.min(config.tablesBytesMax(), session.freeBytes() / 2);
        slotCount = (int) Math.max(1, Math.min(budgetBytes / keyTable.sizeBytes(), Integer.MAX_VALUE / 2));
        keys = session.allocate((long) slotCount * SignatureRows.KEY_LENGTH);
        keyPoints = session.allocate(slotCount * keyTable.sizeBytes());
        // Slot 0 lends its place to the generator until the first key comes.
        make(generatorTable, generatorPoints, List.of(GeneratorRecord.BYTES), new int[] {0});
    }

    /** Launches verifications with blocks of another size from now on; for measurements. */
    void useBlockSize(int threads) {
        blockSize = threads;
    }

    /**
     * Starts multiplications in the field, {@code times} for each of {@code count} pairs of elements; for measurements.
     */
    void multiply(CUstream stream, CUdeviceptr pairs, int count, int times) {
        CudaSession.launch(multiplyChain, count, blockSize, stream, argument(pairs), argument(count), argument(times));
    }

    /** Returns how many keys may have a table at a time. */
    int slotCount() {
        return slotCount;
    }

    /**
     * Makes the tables of keys and returns when they are there. Nothing under way may use these slots.
     *
     * @param keyRecords at most {@link #TABLES_AT_ONCE}
     * @param keySlots the slot of each
     */
    void makeTables(List<byte[]> keyRecords, int[] keySlots) {
        make(keyTable, keyPoints, keyRecords, keySlots);
    }

    /** Copies go on the kernel's own stream: it does not wait for any other. */
    private void make(CombTable table, CUdeviceptr points, List<byte[]> keyRecords, int[] keySlots) {
        for (int i = 0; i < keySlots.length; i++) {
            int at = SLOTS_LENGTH + i * SignatureRows.KEY_LENGTH;
            staging.bytes().putInt(i * Integer.BYTES, keySlots[i]);
            staging.bytes().put(at, keyRecords.get(i));
            cuMemcpyHtoDAsync(
                    keys.withByteOffset((long) keySlots[i] * SignatureRows.KEY_LENGTH),
                    staging.pointer().withByteOffset(at),
                    SignatureRows.KEY_LENGTH,
                    stream);
        }
        cuMemcpyHtoDAsync(slots, staging.pointer(), (long) keySlots.length * Integer.BYTES, stream);
        CudaSession.launch(
                makeTables,
                (long) keySlots.length * table.threadCount(),
                blockSize,
                stream,
                argument(keys),
                argument(slots),
                argument(points),
                argument(growth),
                argument(keySlots.length),
                argument(table.windowBits()));
        cuStreamSynchronize(stream);
    }

    /** Starts the verification of rows whose key indices are slots. */
    void verifyKnown(CUstream stream, CUdeviceptr rows, CUdeviceptr verdicts, int count) {
        CudaSession.launch(
                verifyKnown,
                count,
                blockSize,
                stream,
                argument(rows),
                argument(keys),
                argument(generatorPoints),
                argument(keyPoints),
                argument(verdicts),
                argument(count),
                argument(generatorTable.windowBits()),
                argument(keyTable.windowBits()));
    }

    /** Starts the verification of rows whose key indices count the given keys. */
    void verifyAny(CUstream stream, CUdeviceptr rows, CUdeviceptr rowKeys, CUdeviceptr verdicts, int count) {
        CudaSession.launch(
                verifyAny,
                count,
                blockSize,
                stream,
                argument(rows),
                argument(rowKeys),
                argument(generatorPoints),
                argument(verdicts),
                argument(count),
                argument(generatorTable.windowBits()));
    }
}
