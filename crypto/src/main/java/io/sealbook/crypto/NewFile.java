package io.sealbook.crypto;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that did not exist before. {@link #close} deletes it unless it was filled: a part of a key file is of no use,
 * and is in the way of the next attempt. One thread.
 */
final class NewFile implements AutoCloseable {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    private static final Set<StandardOpenOption> NEW_FILE =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private final Path file;
    private final FileChannel channel;
    private boolean isWhole;

    private NewFile(Path file, FileAttribute<?>... attributes) throws IOException {
        this.file = file;
        this.channel = FileChannel.open(file, NEW_FILE, attributes);
    }

    /**
     * Creates an empty file with mode 0600 from its first instant; on file systems without modes, with whatever they
     * give to a new file.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    static NewFile ofOwner(Path file) throws IOException {
        return hasModes(file) ? new NewFile(file, OWNER_ONLY) : new NewFile(file);
    }

    /**
     * Creates an empty file that others may read, as far as this process's mask of modes lets them.
     *
     * @throws java.nio.file.FileAlreadyExistsException if the file exists
     */
    static NewFile ofAll(Path file) throws IOException {
        return new NewFile(file);
    }

    /**
     * Creates a file of the owner with its content, which is on the disk afterwards.
     *
     * @param file must not exist
     * @param content of it
     * @throws IOException if it cannot be written; there is no file then, unless it existed
     */
    static void write(Path file, byte[] content) throws IOException {
        try (NewFile created = ofOwner(file)) {
            created.fill(content);
        }
    }

    /**
     * Writes all of the content; it is on the disk afterwards.
     *
     * @throws IOException if it cannot be written; there is no file after {@link #close} then
     */
    void fill(byte[] content) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(true);
        isWhole = true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!isWhole) {
            Files.deleteIfExists(file);
        }
    }

    static boolean hasModes(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
