package io.sealbook.perf.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page cache of Linux, which a privileged process can empty: proc(5), {@code /proc/sys/vm/drop_caches}. */
final class PageCache {
    static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    private static final String PAGES_DENTRIES_AND_INODES = "3";

    private PageCache() {}

    static boolean canBeDropped() {
        return Files.isWritable(DROP_CACHES);
    }

    /** Writes dirty pages out, then drops all clean ones. */
    static void drop() throws IOException {
        try {
            int exit = new ProcessBuilder("sync").inheritIO().start().waitFor();
            if (exit != 0) {
                throw new IOException("sync ended with exit code " + exit);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        Files.writeString(DROP_CACHES, PAGES_DENTRIES_AND_INODES);
    }
}
