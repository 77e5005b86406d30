package io.sealbook.tls;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Loads files again after they changed. It looks at them when {@link #refresh} is called, which every handshake does:
 * that needs no thread, and costs a handshake one system call per file. Any thread.
 */
final class WatchedFiles {
    private static final Logger LOG = System.getLogger(WatchedFiles.class.getName());

    /** Reads the files and puts their content to use. */
    interface Loading {
        /** @throws IOException if the files cannot be used; the content in use stays */
        void load() throws IOException;
    }

    /** Between two attempts to load the same files. What is wrong may not be in them, or be right by tomorrow. */
    static final long RETRY_NS = 1_000_000_000L;

    private final List<Path> files;
    private final Loading loading;
    private final LongSupplier nanoTime;
    private volatile String loaded;
    /** What could not be loaded last, and when it is tried again. */
    private volatile Failure failure = new Failure("", "", 0);

    private record Failure(String state, String fact, long retryNs) {
        boolean holdsBack(String present, long nowNs) {
            return state.equals(present) && nowNs - retryNs < 0;
        }
    }

    /**
     * Loads the files.
     *
     * @param files whose changes count
     * @param loading loads all of them
     * @throws IOException if they cannot be used
     */
    WatchedFiles(List<Path> files, Loading loading) throws IOException {
        this(files, loading, System::nanoTime);
    }

    /** Tests have a clock of their own. */
    WatchedFiles(List<Path> files, Loading loading, LongSupplier nanoTime) throws IOException {
        this.nanoTime = nanoTime;
        this.files = List.copyOf(files);
        this.loading = loading;
        String state = state();
        loading.load();
        this.loaded = state;
    }

    /**
     * Loads the files if one has changed. Content that cannot be used leaves what is in use, is tried again, and is
     * logged once.
     */
    void refresh() {
        String state = state();
        if (isNothingToDo(state)) {
            return;
        }
        synchronized (this) {
            if (isNothingToDo(state)) {
                return;
            }
            try {
                loading.load();
                loaded = state;
                LOG.log(Level.INFO, "TLS: {0} loaded again", files);
            } catch (IOException | RuntimeException e) {
                String fact = e instanceof IOException ? e.getMessage() : files + ": " + e;
                if (!failure.state.equals(state) || !failure.fact.equals(fact)) {
                    LOG.log(Level.WARNING, "{0}; the content from before stays in use", fact);
                }
                failure = new Failure(state, fact, nanoTime.getAsLong() + RETRY_NS);
            }
        }
    }

    private boolean isNothingToDo(String state) {
        return state.equals(loaded) || failure.holdsBack(state, nanoTime.getAsLong());
    }

    /** Returns what changes with the files: time of the last change, length, and identity, if they have one. */
    private String state() {
        StringBuilder state = new StringBuilder();
        for (Path file : files) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                state.append(attributes.lastModifiedTime())
                        .append(' ')
                        .append(attributes.size())
                        .append(' ')
                        .append(attributes.fileKey())
                        .append('\n');
            } catch (IOException e) {
                state.append("absent\n");
            }
        }
        return state.toString();
    }
}
