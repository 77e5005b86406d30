package io.sealbook.perf.experiment;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Where a recorded process spent its time: the methods on top of the stack, by share of the execution samples. */
final class Profile {
    private static final int ROWS = 10;

    private Profile() {}

    static void print(String process, Path recording, PrintStream out) throws IOException {
        Map<String, Integer> methods = new HashMap<>();
        Map<String, Integer> threads = new HashMap<>();
        int samples = 0;
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                boolean isSample = event.getEventType().getName().equals("jdk.ExecutionSample")
                        || event.getEventType().getName().equals("jdk.NativeMethodSample");
                if (!isSample || event.getStackTrace() == null) {
                    continue;
                }
                List<RecordedFrame> frames = event.getStackTrace().getFrames();
                if (frames.isEmpty() || event.getEventType().getName().equals("jdk.NativeMethodSample")) {
                    // Native samples are taken of waiting threads too, so they say nothing about the processor.
                    continue;
                }
                samples++;
                RecordedFrame top = frames.get(0);
                methods.merge(
                        top.getMethod().getType().getName() + "."
                                + top.getMethod().getName(),
                        1,
                        Integer::sum);
                if (event.getThread("sampledThread") != null) {
                    threads.merge(
                            String.valueOf(event.getThread("sampledThread").getJavaName()), 1, Integer::sum);
                }
            }
        }
        out.printf("%n%s: %d samples%n", process, samples);
        printTop("method", methods, samples, out);
        printTop("thread", threads, samples, out);
    }

    private static void printTop(String title, Map<String, Integer> counts, int samples, PrintStream out) {
        out.println("  share  " + title);
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(ROWS)
                .forEach(entry -> out.printf("  %4.1f %%  %s%n", 100.0 * entry.getValue() / samples, entry.getKey()));
    }
}
