package io.sealbook.consensus.testnet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A directory that its owner alone may enter: what is below it, orders of all brokers, is closed to others too. */
final class ClosedDirectory {
    private ClosedDirectory() {}

    /**
     * Creates the directory with mode 0700; on file systems without modes, with whatever they give to a new one.
     *
     * @param directory below one that exists; its mode stays as it is if it exists
     */
    static void create(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(directory);
        }
    }
}
