package io.sealbook.chaos.run;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The mark of a run that found a violation or did not come to its end: the file {@code VIOLATIONS}, whose directory no
 * later run empties.
 *
 * @param directory of the run
 */
record Evidence(Path directory) {
    boolean exists() {
        return Files.exists(file());
    }

    /** Returns the lines of the file; none if there is no file. */
    List<String> lines() throws IOException {
        return exists() ? Files.readAllLines(file()) : List.of();
    }

    /** Keeps what a run has found; no file is written if it has found nothing. */
    void keep(Findings findings) throws IOException {
        if (!findings.violations().isEmpty()) {
            Files.write(file(), lines(findings));
        }
    }

    /**
     * Keeps what a run has found before it failed.
     *
     * @param findings until then
     * @param failure that ended the run; becomes the last line. It gets the failure to write as a suppressed one
     */
    void keep(Findings findings, Throwable failure) {
        List<String> lines = new ArrayList<>(lines(findings));
        lines.add("the run did not come to its end: " + failure);
        try {
            Files.write(file(), lines);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static List<String> lines(Findings findings) {
        return findings.violations().stream().map(Violation::toString).toList();
    }

    private Path file() {
        return directory.resolve("VIOLATIONS");
    }
}
