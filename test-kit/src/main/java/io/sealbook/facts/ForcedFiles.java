package io.sealbook.facts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Files and directories that this process forces to disk, as the virtual machine records it. */
public final class ForcedFiles {
    private static final String FORCE = "jdk.FileForce";

    private ForcedFiles() {}

    /** What is observed. */
    public interface Action {
        void run() throws Exception;
    }

    /**
     * Returns what is forced while an action runs, in order.
     *
     * @param directory it and what is below it count; other threads may force other files meanwhile
     * @param action is observed
     */
    public static List<Path> below(Path directory, Action action) throws Exception {
        Path file = Files.createTempFile("forced", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(FORCE).withoutThreshold().withoutStackTrace();
            recording.start();
            action.run();
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .sorted(Comparator.comparing(RecordedEvent::getStartTime))
                    .map(event -> Path.of(event.getString("path")))
                    .filter(path -> path.startsWith(directory))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }
}
