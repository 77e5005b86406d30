package io.sealbook.perf.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What the threads of processes have asked of the system so far, as proc(5) counts it on Linux. Unlike times, counts do
 * not depend on what else the machine does.
 *
 * @param wakeUps by thread: how often it slept and was woken ({@code voluntary_ctxt_switches}); threads of one name are
 *     one line
 * @param preemptions how often a thread lost its core to another one ({@code nonvoluntary_ctxt_switches})
 * @param reads system calls of the family of read(2) ({@code syscr}): files, and wake-ups of event loops; most bytes of
 *     sockets come by recv(2) and are not counted
 * @param writes system calls of the family of write(2) ({@code syscw}): files, wake-ups of event loops, and what
 *     sockets send of several buffers; not send(2)
 */
public record ProcessCounts(Map<String, Long> wakeUps, long preemptions, long reads, long writes) {
    private static final Path PROC = Path.of("/proc");

    /**
     * Counts now. A thread that ends takes its counts with it.
     *
     * @param pids of running processes of this user
     * @throws IOException if the system does not have proc(5), or a process has ended
     */
    public static ProcessCounts of(List<Long> pids) throws IOException {
        Map<String, Long> wakeUps = new TreeMap<>();
        long preemptions = 0;
        long reads = 0;
        long writes = 0;
        for (long pid : pids) {
            Path process = PROC.resolve(Long.toString(pid));
            for (Path thread : threads(process)) {
                try {
                    Map<String, String> status = fields(Files.readAllLines(thread.resolve("status")));
                    wakeUps.merge(status.get("Name"), count(status, "voluntary_ctxt_switches"), Long::sum);
                    preemptions += count(status, "nonvoluntary_ctxt_switches");
                } catch (NoSuchFileException e) {
                    // It has ended since the folder was listed.
                }
            }
            Map<String, String> io = fields(Files.readAllLines(process.resolve("io")));
            reads += count(io, "syscr");
            writes += count(io, "syscw");
        }
        return new ProcessCounts(wakeUps, preemptions, reads, writes);
    }

    private static List<Path> threads(Path process) throws IOException {
        try (Stream<Path> threads = Files.list(process.resolve("task"))) {
            return threads.toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns the values of lines {@code name: value}. */
    static Map<String, String> fields(List<String> lines) {
        Map<String, String> fields = new TreeMap<>();
        for (String line : lines) {
            int end = line.indexOf(':');
            if (end > 0) {
                fields.put(line.substring(0, end), line.substring(end + 1).strip());
            }
        }
        return fields;
    }

    /** Returns the number of a field, which may have a unit behind it. */
    static long count(Map<String, String> fields, String name) throws IOException {
        String value = fields.get(name);
        if (value == null) {
            throw new IOException("proc(5) has no field " + name + " here");
        }
        return Long.parseLong(value.split(" ")[0]);
    }

    /** Returns what came after {@code earlier} counts of the same processes. */
    public ProcessCounts minus(ProcessCounts earlier) {
        Map<String, Long> growth = new TreeMap<>();
        wakeUps.forEach((thread, count) ->
                growth.put(thread, Math.max(0, count - earlier.wakeUps.getOrDefault(thread, 0L))));
        return new ProcessCounts(
                growth, preemptions - earlier.preemptions, reads - earlier.reads, writes - earlier.writes);
    }

    /** Returns the wake-ups of all threads. */
    public long allWakeUps() {
        return wakeUps.values().stream().mapToLong(Long::longValue).sum();
    }
}
