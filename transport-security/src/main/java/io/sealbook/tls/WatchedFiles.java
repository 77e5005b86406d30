package io.sealbook.tls;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

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

    private final List<Path> files;
    private final Loading loading;
    private volatile String loaded;

    /**
     * Loads the files.
     *
     * @param files whose changes count
     * @param loading loads all of them
     * @throws IOException if they cannot be used
     */
    WatchedFiles(List<Path> files, Loading loading) throws IOException {
        this.files = List.copyOf(files);
        this.loading = loading;
        String state = state();
        loading.load();
        this.loaded = state;
    }

    /** Loads the files if one has changed. Content that cannot be used leaves what is in use, and is logged once. */
    void refresh() {
        String state = state();
        if (state.equals(loaded)) {
            return;
        }
        synchronized (this) {
            if (state.equals(loaded)) {
                return;
            }
            loaded = state;
            try {
                loading.load();
                LOG.log(Level.INFO, "TLS: {0} loaded again", files);
            } catch (IOException | RuntimeException e) {
                String fact = e instanceof IOException ? e.getMessage() : files + ": " + e;
                LOG.log(Level.WARNING, "{0}; the content from before stays in use", fact);
            }
        }
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
