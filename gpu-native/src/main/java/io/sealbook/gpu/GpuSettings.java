package io.sealbook.gpu;

import io.sealbook.crypto.ProviderSettings;
import io.sealbook.crypto.SignatureBatch;
import io.sealbook.crypto.VerifierSettings;

/**
 * How a node uses the device: settings {@code verifier.gpu.*} of its configuration file. Immutable; any thread.
 *
 * @param deviceOrdinal {@code device-ordinal}: the driver's number of the device, from 0
 * @param laneCount {@code lane-count}: batches in flight on the device, 1..16, each with a stream and buffers
 * @param laneRowsMax {@code lane-rows-max}: signatures in one such batch, 1..1,048,576
 * @param blockSize {@code block-size}: threads in a block, a multiple of 32 up to 256
 * @param generatorWindowBits {@code generator-window-bits}: window of the generator's table, 2..16
 * @param keyWindowBits {@code key-window-bits}: window of the keys' tables, 2..16; a table of 8 bits takes 256 KiB, one
 *     of 16 bits takes 32 MiB and saves half of the additions
 * @param tablesBytesMax {@code tables-bytes-max}: memory of keys' tables, at least one table; half of the device's free
 *     memory is the limit besides
 * @param usesBeforeTable {@code uses-before-table}: signatures after which a key gets a table, 1..65,536, because the
 *     self-test needs this number at once; making one costs as much as verifying this number without
 * @param smallBatchMax {@code small-batch-max}: batches of at most this number of signatures are verified on the CPU,
 *     which is done before the device begins
 * @param sampleInterval {@code sample-interval}: one verdict in this number is checked on the CPU; 1 checks all
 * @param refusalChecksMax {@code refusal-checks-max}: refused signatures per batch that are checked on the CPU
 * @param answerTimeoutMs {@code answer-timeout-ms}: the device is not used any more if it does not answer within this
 *     time, in ms
 * @param openTimeoutMs {@code open-timeout-ms}: the device is not used if it cannot be found and opened within this
 *     time, in ms; the first start compiles the kernels meanwhile
 */
public record GpuSettings(
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
        int answerTimeoutMs,
        int openTimeoutMs) {
    private static final int WARP_SIZE = 32;
    private static final int BLOCK_SIZE_MAX = 256;
    private static final int LANES_MAX = 16;
    private static final int LANE_ROWS_MAX = 1 << 20;

    /**
     * Checks every value.
     *
     * @throws IllegalArgumentException if one is out of range; the message names it
     */
    public GpuSettings {
        checkRange("device-ordinal", deviceOrdinal, 0, Integer.MAX_VALUE);
        checkRange("lane-count", laneCount, 1, LANES_MAX);
        checkRange("lane-rows-max", laneRowsMax, 1, LANE_ROWS_MAX);
        check(
                blockSize >= WARP_SIZE && blockSize <= BLOCK_SIZE_MAX && blockSize % WARP_SIZE == 0,
                "block-size=" + blockSize + " is not a multiple of " + WARP_SIZE + " in " + WARP_SIZE + ".."
                        + BLOCK_SIZE_MAX);
        checkRange("generator-window-bits", generatorWindowBits, CombTable.WINDOW_BITS_MIN, CombTable.WINDOW_BITS_MAX);
        checkRange("key-window-bits", keyWindowBits, CombTable.WINDOW_BITS_MIN, CombTable.WINDOW_BITS_MAX);
        checkRange("tables-bytes-max", tablesBytesMax, new CombTable(keyWindowBits).sizeBytes(), Long.MAX_VALUE);
        checkRange("uses-before-table", usesBeforeTable, 1, SignatureBatch.CAPACITY_MAX);
        checkRange("small-batch-max", smallBatchMax, 0, Integer.MAX_VALUE);
        checkRange("sample-interval", sampleInterval, 1, Integer.MAX_VALUE);
        checkRange("refusal-checks-max", refusalChecksMax, 0, Integer.MAX_VALUE);
        checkRange("answer-timeout-ms", answerTimeoutMs, 1, Integer.MAX_VALUE);
        checkRange("open-timeout-ms", openTimeoutMs, 1, Integer.MAX_VALUE);
    }

    /** Returns the defaults. */
    public static GpuSettings defaults() {
        return of(VerifierSettings.best().of(GpuProvider.NAME));
    }

    /**
     * Reads settings; an absent one has its default.
     *
     * @throws IllegalArgumentException if a value is out of range or a key unknown; the message names it
     */
    public static GpuSettings of(ProviderSettings settings) {
        GpuSettings read = new GpuSettings(
                settings.number("device-ordinal", 0),
                settings.number("lane-count", 3),
                settings.number("lane-rows-max", 16_384),
                settings.number("block-size", 128),
                settings.number("generator-window-bits", 16),
                settings.number("key-window-bits", 8),
                settings.longNumber("tables-bytes-max", 1L << 30),
                settings.number("uses-before-table", 40),
                settings.number("small-batch-max", 64),
                settings.number("sample-interval", 1_000),
                settings.number("refusal-checks-max", 4),
                settings.number("answer-timeout-ms", 5_000),
                settings.number("open-timeout-ms", 120_000));
        settings.refuseUnknown();
        return read;
    }

    CombTable generatorTable() {
        return new CombTable(generatorWindowBits);
    }

    CombTable keyTable() {
        return new CombTable(keyWindowBits);
    }

    private static void checkRange(String key, long value, long min, long max) {
        check(
                min <= value && value <= max,
                key + "=" + value + (max >= Integer.MAX_VALUE ? " is below " + min : " is not in " + min + ".." + max));
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("verifier." + GpuProvider.NAME + "." + message);
        }
    }
}
