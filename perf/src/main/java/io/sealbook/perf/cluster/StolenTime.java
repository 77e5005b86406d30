package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Processor time that a virtual machine wanted and its host gave to others: the column "steal" of proc(5),
 * {@code /proc/stat}.
 */
final class StolenTime {
    private static final Path STAT = Path.of("/proc/stat");
    private static final int STEAL = 8;
    /** {@code USER_HZ}, which is 100 on every architecture that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private StolenTime() {}

    /** Returns the seconds since the start of this machine, of all its cores together; 0 if unknown. */
    static double seconds() {
        try {
            return Files.isReadable(STAT) ? seconds(Files.readAllLines(STAT)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    /** Takes the lines of {@code /proc/stat}. */
    static double seconds(List<String> stat) {
        String[] all = stat.isEmpty() ? new String[0] : stat.get(0).split(" +");
        return all.length > STEAL && all[0].equals("cpu") ? Long.parseLong(all[STEAL]) / TICKS_PER_SECOND : 0;
    }
}
