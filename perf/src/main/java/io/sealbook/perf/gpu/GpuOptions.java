package io.sealbook.perf.gpu;

import io.sealbook.crypto.VerifierSettings;
import io.sealbook.gpu.GpuProvider;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** What {@code perf.jar gpu} measures. */
final class GpuOptions {
    /** A table of the widest window, 16 bits: 16 windows of 2^15 points of 64 bytes. */
    private static final long TABLE_BYTES_MAX = 32 << 20;

    /** What can be measured apart from the rest. */
    enum Part {
        VERDICTS,
        VERIFIERS,
        KERNELS
    }

    @Option(
            names = "--parts",
            split = ",",
            defaultValue = "verdicts,verifiers,kernels",
            description = "What to run: ${COMPLETION-CANDIDATES}. A part that fails does not end the others.")
    List<Part> parts;

    @Option(names = "--signatures", defaultValue = "1000000", description = "Signatures whose verdicts are compared.")
    int signatures;

    @Option(names = "--keys", defaultValue = "64", description = "Keys that they are signed with.")
    int keys;

    @Option(
            names = "--sizes",
            split = ",",
            defaultValue = "256,1024,4096,16384,65536,262144",
            description = "Signatures per launch.")
    List<Integer> sizes;

    @Option(names = "--blocks", split = ",", defaultValue = "64,128,256", description = "Threads per block.")
    List<Integer> blocks;

    @Option(names = "--lanes", split = ",", defaultValue = "1,2,3", description = "Launches in flight.")
    List<Integer> lanes;

    @Option(
            names = "--windows",
            split = ",",
            defaultValue = "8:8,16:8,16:13,16:16",
            description = "Widths of tables in bits, generator:keys.")
    List<String> windows;

    @Option(names = "--threads", split = ",", defaultValue = "1,4,16", description = "Threads that call a verifier.")
    List<Integer> threads;

    @Option(
            names = "--batches",
            split = ",",
            defaultValue = "64,1024,16384",
            description = "Signatures per call of a verifier.")
    List<Integer> batches;

    @Option(names = "--millis", defaultValue = "500", description = "Length of each measurement.")
    int millis;

    /**
     * Returns the settings of the device for one pair of windows, with memory for the tables of all keys.
     *
     * @param window widths in bits, generator:keys
     * @param laneRows signatures per launch
     * @param usesBeforeTable signatures after which a key gets a table
     * @throws IllegalArgumentException if the window is no pair of numbers
     */
    VerifierSettings settings(String window, int laneRows, int usesBeforeTable) {
        String[] bits = window.split(":");
        if (bits.length != 2) {
            throw new IllegalArgumentException("--windows=" + window + " is not GENERATOR:KEYS");
        }
        return new VerifierSettings(
                GpuProvider.NAME,
                Map.of(
                        "gpu.generator-window-bits",
                        bits[0],
                        "gpu.key-window-bits",
                        bits[1],
                        "gpu.tables-bytes-max",
                        Long.toString(keys * TABLE_BYTES_MAX),
                        "gpu.lane-rows-max",
                        Integer.toString(laneRows),
                        "gpu.uses-before-table",
                        Integer.toString(usesBeforeTable),
                        "gpu.small-batch-max",
                        "0",
                        "gpu.answer-timeout-ms",
                        "60000"));
    }
}
