package io.sealbook.gpu;

/**
 * How the device is used. Each value can be set by a system property {@code sealbook.gpu.NAME}.
 *
 * @param deviceOrdinal the driver's number of the device, from 0
 * @param laneCount batches that may be under way on the device, each with a stream and buffers of its own
 * @param laneRowsMax signatures in one such batch
 * @param blockSize threads in a block, a multiple of 32 up to 256
 * @param generatorWindowBits window of the generator's table, of which there is one
 * @param keyWindowBits window of the keys' tables; 8 costs 256 KiB a key, 16 costs 32 MiB a key and saves half of the additions
 * @param tablesBytesMax memory for keys' tables; half of the device's free memory is the limit besides
 * @param usesBeforeTable signatures after which a key gets its table, because making one costs as much as verifying so many without
 * @param smallBatchMax batches of at most so many signatures stay on the CPU, which is done before the device has begun
 * @param sampleInterval one in so many verdicts is checked on the CPU; 1 checks all
 * @param refusalChecksMax refused signatures of a batch that are checked on the CPU
 * @param answerTimeoutMs after this long the device is given up
 */
record GpuConfig(
        int deviceOrdinal,
        int laneCount,
        int laneRowsMax,
        int blockSize,
        int generatorWindowBits,
        int keyWindowBits,
        long tablesBytesMax,
        int usesBeforeTable,
        int smallBatchMax,
        int sampleInterval,
        int refusalChecksMax,
        int answerTimeoutMs) {
    private static final String PREFIX = "sealbook.gpu.";
    private static final int WARP_SIZE = 32;
    private static final int BLOCK_SIZE_MAX = 256;

    GpuConfig {
        check(deviceOrdinal >= 0, "deviceOrdinal", deviceOrdinal);
        check(laneCount >= 1 && laneCount <= 16, "laneCount", laneCount);
        check(laneRowsMax >= 1 && laneRowsMax <= 1 << 20, "laneRowsMax", laneRowsMax);
        check(
                blockSize >= WARP_SIZE && blockSize <= BLOCK_SIZE_MAX && blockSize % WARP_SIZE == 0,
                "blockSize",
                blockSize);
        check(isWindow(generatorWindowBits), "generatorWindowBits", generatorWindowBits);
        check(isWindow(keyWindowBits), "keyWindowBits", keyWindowBits);
        check(tablesBytesMax >= new CombTable(keyWindowBits).sizeBytes(), "tablesBytesMax", tablesBytesMax);
        check(usesBeforeTable >= 1, "usesBeforeTable", usesBeforeTable);
        check(smallBatchMax >= 0, "smallBatchMax", smallBatchMax);
        check(sampleInterval >= 1, "sampleInterval", sampleInterval);
        check(refusalChecksMax >= 0, "refusalChecksMax", refusalChecksMax);
        check(answerTimeoutMs >= 1, "answerTimeoutMs", answerTimeoutMs);
    }

    /** Returns the defaults, with what system properties say instead. */
    static GpuConfig ofSystemProperties() {
        return new GpuConfig(
                Integer.getInteger(PREFIX + "deviceOrdinal", 0),
                Integer.getInteger(PREFIX + "laneCount", 3),
                Integer.getInteger(PREFIX + "laneRowsMax", 16_384),
                Integer.getInteger(PREFIX + "blockSize", 128),
                Integer.getInteger(PREFIX + "generatorWindowBits", 16),
                Integer.getInteger(PREFIX + "keyWindowBits", 8),
                Long.getLong(PREFIX + "tablesBytesMax", 1L << 30),
                Integer.getInteger(PREFIX + "usesBeforeTable", 40),
                Integer.getInteger(PREFIX + "smallBatchMax", 64),
                Integer.getInteger(PREFIX + "sampleInterval", 1_000),
                Integer.getInteger(PREFIX + "refusalChecksMax", 4),
                Integer.getInteger(PREFIX + "answerTimeoutMs", 5_000));
    }

    CombTable generatorTable() {
        return new CombTable(generatorWindowBits);
    }

    CombTable keyTable() {
        return new CombTable(keyWindowBits);
    }

    private static boolean isWindow(int bits) {
        return bits >= CombTable.WINDOW_BITS_MIN && bits <= CombTable.WINDOW_BITS_MAX;
    }

    private static void check(boolean holds, String name, long value) {
        if (!holds) {
            throw new IllegalArgumentException(PREFIX + name + " cannot be " + value);
        }
    }
}
