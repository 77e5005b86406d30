package io.sealbook.gpu;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@link GpuSweepTool} measures; each value can be given as {@code name=value} or {@code name=value,value}.
 *
 * @param signatures vectors whose verdicts are all compared
 * @param keys under which they are signed
 * @param sizes signatures in a launch
 * @param blocks threads in a block
 * @param lanes batches under way at a time
 * @param windows window bits of the generator's and the keys' tables, such as {@code 16:8}
 * @param threads callers, end to end
 * @param batches signatures in a caller's batch, end to end
 * @param millis time of each measurement
 */
record SweepOptions(
        int signatures,
        int keys,
        int[] sizes,
        int[] blocks,
        int[] lanes,
        List<String> windows,
        int[] threads,
        int[] batches,
        int millis) {
    private static final Set<String> NAMES =
            Set.of("signatures", "keys", "sizes", "blocks", "lanes", "windows", "threads", "batches", "millis");

    /** Reads a command line. */
    static SweepOptions of(String... arguments) {
        Map<String, String> values = new HashMap<>();
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            if (parts.length != 2 || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("no option: " + argument + "; there are " + NAMES);
            }
            values.put(parts[0], parts[1]);
        }
        return new SweepOptions(
                Integer.parseInt(values.getOrDefault("signatures", "1000000")),
                Integer.parseInt(values.getOrDefault("keys", "64")),
                numbers(values.getOrDefault("sizes", "256,1024,4096,16384,65536,262144")),
                numbers(values.getOrDefault("blocks", "64,128,256")),
                numbers(values.getOrDefault("lanes", "1,2,3")),
                List.of(values.getOrDefault("windows", "8:8,16:8,16:13,16:16").split(",")),
                numbers(values.getOrDefault("threads", "1,4,16")),
                numbers(values.getOrDefault("batches", "64,1024,16384")),
                Integer.parseInt(values.getOrDefault("millis", "500")));
    }

    private static int[] numbers(String list) {
        return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
    }

    /** Returns the device's configuration for one pair of windows. */
    GpuSettings config(String window, int laneRowsMax, int laneCount, int usesBeforeTable) {
        String[] bits = window.split(":");
        int keyBits = Integer.parseInt(bits[1]);
        long tablesBytes = new CombTable(keyBits).sizeBytes() * keys;
        return new GpuSettings(
                0,
                laneCount,
                laneRowsMax,
                128,
                Integer.parseInt(bits[0]),
                keyBits,
                tablesBytes,
                usesBeforeTable,
                0,
                1_000,
                4,
                60_000);
    }
}
