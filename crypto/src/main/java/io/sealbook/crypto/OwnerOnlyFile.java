package io.sealbook.crypto;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * A new file with mode 0600 from its first instant; on file systems without modes, whatever they give to a new file.
 */
final class OwnerOnlyFile {
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY = PosixFilePermissions.asFileAttribute(
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE));
    private static final Set<StandardOpenOption> NEW_FILE =
            EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    private OwnerOnlyFile() {}

    /** Creates the file; its content is on the disk afterwards. */
    static void create(Path file, byte[] content) throws IOException {
        FileAttribute<?>[] attributes = hasModes(file) ? new FileAttribute<?>[] {OWNER_ONLY} : new FileAttribute<?>[0];
        try (FileChannel channel = FileChannel.open(file, NEW_FILE, attributes)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    static boolean hasModes(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
