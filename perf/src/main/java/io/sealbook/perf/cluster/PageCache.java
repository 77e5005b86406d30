package io.sealbook.perf.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The page cache of Linux: proc(5), {@code /proc/meminfo} and {@code /proc/sys/vm/drop_caches}. */
public final class PageCache {
    public static final Path DROP_CACHES = Path.of("/proc/sys/vm/drop_caches");

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final String FREE = "MemFree:";
    private static final String PAGES_DENTRIES_AND_INODES = "3";
    private static final String FILLER = "page-cache-filler";
    private static final int STEP_BYTES = 1 << 20;
    /** Linux begins to reclaim pages before none is left. */
    private static final long LEFT_FREE_BYTES = 256L << 20;

    private PageCache() {}

    /** Returns whether {@link #drop} may be called. */
    public static boolean canBeDropped() {
        return Files.isWritable(DROP_CACHES);
    }

    /** Writes dirty pages out, then drops all clean ones. */
    public static void drop() throws IOException {
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

    /**
     * Fills free memory with clean pages of a file without data, which later uses of memory take over. So none of them
     * is the first use of its page since the host of a virtual machine took that back.
     *
     * @param directory in which a file without a name may be; it takes no room on the disk
     * @return the file; its pages are free again when it is closed
     */
    public static FileChannel fill(Path directory) throws IOException {
        return fill(directory, Long.MAX_VALUE, LEFT_FREE_BYTES);
    }

    /**
     * Does what {@link #fill(Path)} does, within limits.
     *
     * @param directory as there
     * @param bytesMax to be filled
     * @param leftFreeBytes ends it when no more is free
     */
    static FileChannel fill(Path directory, long bytesMax, long leftFreeBytes) throws IOException {
        long bytes = Math.min(bytesMax, freeBytes());
        FileChannel channel = FileChannel.open(
                directory.resolve(FILLER),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
        try {
            channel.write(ByteBuffer.allocate(1), bytes);
            ByteBuffer buffer = ByteBuffer.allocateDirect(STEP_BYTES);
            long position = 0;
            while (position < bytes && freeBytes() > leftFreeBytes) {
                position += channel.read(buffer.clear(), position);
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Returns {@code MemFree}: memory that nothing uses, caches included. */
    static long freeBytes() throws IOException {
        for (String line : Files.readAllLines(MEMORY)) {
            if (line.startsWith(FREE)) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException(MEMORY + " has no line " + FREE);
    }
}
