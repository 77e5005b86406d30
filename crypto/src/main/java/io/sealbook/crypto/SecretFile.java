package io.sealbook.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** The mode of a file with a key or a passphrase: only its owner may use it. */
public final class SecretFile {
    private static final Set<PosixFilePermission> OWNER_PERMISSIONS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private SecretFile() {}

    /**
     * Returns which file has which mode, and what to do, if others than its owner may use it.
     *
     * @param file that exists
     * @return empty if the mode is as it must be, or the file system has no modes
     * @throws IOException if the mode cannot be read
     */
    public static Optional<String> fault(Path file) throws IOException {
        if (!NewFile.hasModes(file)) {
            return Optional.empty();
        }
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
        return OWNER_PERMISSIONS.containsAll(mode)
                ? Optional.empty()
                : Optional.of(file + " has mode " + PosixFilePermissions.toString(mode)
                        + ": others may use it; chmod 600 " + file);
    }
}
