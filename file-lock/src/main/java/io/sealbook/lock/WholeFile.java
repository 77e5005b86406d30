package io.sealbook.lock;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * Files that are replaced as a whole. A reader finds the old bytes or the new ones, and so does the next start after a
 * crash of the process or of the machine; after a method has returned it is the new ones. Any thread, but one at a time
 * for each file.
 */
public final class WholeFile {
    private static final String UNFINISHED = ".new";

    private WholeFile() {}

    /**
     * Replaces a file. The bytes are first in a file beside it with {@code .new} after its name.
     *
     * @param file made if it does not exist; its directory must exist
     * @param bytes the whole content
     * @throws IOException if the disk is full or broken; the file has the old bytes or the new ones then
     */
    public static void replace(Path file, byte[] bytes) throws IOException {
        replace(file, unfinished(file), bytes);
    }

    /**
     * Replaces a file, as {@link #replace(Path, byte[])} does.
     *
     * @param file made if it does not exist; its directory must exist
     * @param unfinished has the bytes first; in the same directory, and no other thread or process uses the name. If it
     *     exists, the new file has its mode and owner
     * @param bytes the whole content
     * @throws IOException if the disk is full or broken; the file has the old bytes or the new ones then
     */
    public static void replace(Path file, Path unfinished, byte[] bytes) throws IOException {
        write(unfinished, ByteBuffer.wrap(bytes));
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        try (FileChannel directory = FileChannel.open(file.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    /** Returns the name beside a file under which its next bytes are until they are whole. */
    public static Path unfinished(Path file) {
        return file.resolveSibling(file.getFileName() + UNFINISHED);
    }

    /** The bytes are on the disk before the name is theirs: after a crash of the machine the file might be empty. */
    private static void write(Path file, ByteBuffer bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }
}
