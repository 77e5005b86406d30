package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where an experiment finds the built jars, and where its clusters write. */
public final class WorkOptions {
    @Option(names = "--dir", description = "Work directory; emptied first (default: one below HOME/perf/target).")
    private Path directory;

    @Option(names = "--home", description = "Root of the source tree (default: found from the jar).")
    private Path home;

    /** Returns the root of the source tree. */
    public Path home() throws IOException {
        return home != null ? home : Home.find();
    }

    /**
     * Returns the work directory.
     *
     * @param name of the one below {@code HOME/perf/target}, if the options name none
     */
    public Path directory(String name) throws IOException {
        return directory != null ? directory : home().resolve("perf/target").resolve(name);
    }
}
