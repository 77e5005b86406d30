package io.sealbook.perf.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a Java process holds, on Linux: what must not grow while its work stays the same.
 *
 * @param liveHeapBytes objects of the heap that are reachable
 * @param anonymousBytes resident memory that belongs to no file ({@code RssAnon}): heap, stacks, native memory
 * @param descriptors open files and sockets, without segments of a block archive, of which an archive keeps 64 open
 * @param threads of the system
 */
public record ProcessFootprint(long liveHeapBytes, long anonymousBytes, long descriptors, long threads) {
    private static final Path PROC = Path.of("/proc");
    private static final int KIB = 1_024;
    private static final String SEGMENT = ".blocks";

    /** The last line of a class histogram: instances and bytes. */
    private static final Pattern TOTAL = Pattern.compile("(?m)^Total\\s+\\d+\\s+(\\d+)\\s*$");

    /**
     * Looks at a process now. It collects its garbage first, which stops it for up to a second or so.
     *
     * @param pid of a running Java process of this user
     * @throws IOException if it has ended, does not answer {@code jcmd}, or the system does not have proc(5)
     */
    public static ProcessFootprint of(long pid) throws IOException, InterruptedException {
        long liveHeapBytes = liveHeapBytes(histogram(pid));
        Path process = PROC.resolve(Long.toString(pid));
        Map<String, String> status = ProcessCounts.fields(Files.readAllLines(process.resolve("status")));
        return new ProcessFootprint(
                liveHeapBytes,
                KIB * ProcessCounts.count(status, "RssAnon"),
                descriptors(process.resolve("fd")),
                ProcessCounts.count(status, "Threads"));
    }

    private static String histogram(long pid) throws IOException, InterruptedException {
        // No pipe: the process writes while all its threads are stopped, and may be this one.
        Path output = Files.createTempFile("histogram", ".txt");
        try {
            Process jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "GC.class_histogram")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            int exitCode = jcmd.waitFor();
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (exitCode != 0) {
                throw new IOException("jcmd " + pid + " GC.class_histogram failed: " + text.strip());
            }
            return text;
        } finally {
            Files.delete(output);
        }
    }

    /** Returns the bytes that a class histogram counts. */
    static long liveHeapBytes(String histogram) throws IOException {
        Matcher total = TOTAL.matcher(histogram);
        if (!total.find()) {
            throw new IOException("a class histogram has no line of totals, but "
                    + histogram.lines().count() + " lines: "
                    + histogram.lines().findFirst().orElse(""));
        }
        return Long.parseLong(total.group(1));
    }

    private static long descriptors(Path directory) throws IOException {
        try (Stream<Path> open = Files.list(directory)) {
            return open.filter(ProcessFootprint::isNoSegment).count();
        }
    }

    private static boolean isNoSegment(Path descriptor) {
        try {
            return !Files.readSymbolicLink(descriptor).toString().endsWith(SEGMENT);
        } catch (IOException e) {
            // It was closed since the folder was listed.
            return false;
        }
    }

    /**
     * Returns the sizes of all files below a directory together; one that is deleted meanwhile counts as empty.
     *
     * @param directory of a running process
     * @throws IOException if it cannot be read
     */
    public static long bytesBelow(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.mapToLong(ProcessFootprint::size).sum();
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return bytesBelow(directory);
            }
            throw e.getCause();
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
