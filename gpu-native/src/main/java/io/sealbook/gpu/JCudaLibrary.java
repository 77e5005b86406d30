package io.sealbook.gpu;

import io.sealbook.vocabulary.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;

/**
 * One of JCuda's native libraries, loaded from a copy that is known to be the one of this version.
 *
 * <p>JCuda's own loader unpacks to a fixed name in the temporary directory, and uses a file of that name if one exists,
 * even one of another user. Here the library is checked against a known hash, written into a new directory that only
 * its owner can enter, and JCuda loads it from that directory while its class initialises; a library on
 * {@code java.library.path} still comes first, because the user who started the process chose it.
 *
 * @param fileName as JCuda names it for Linux on x86-64, the platform of CUDA servers; elsewhere it is not found, and
 *     that is all
 * @param sha256 of the file, in hexadecimal digits
 */
record JCudaLibrary(String fileName, String sha256) {
    /** The driver API of CUDA; the only one that a node loads. */
    static final JCudaLibrary DRIVER = new JCudaLibrary(
            "libJCudaDriver-12.6.0-linux-x86_64.so",
            "fdc3b4b4fca4f0fab54ff12c0b4d6ad1c5e8d55015b4950834c705e5db301255");

    private static final String TEMPORARY_DIRECTORY = "java.io.tmpdir";

    /** Something that makes JCuda load the library. */
    @FunctionalInterface
    interface FirstTouch {
        void touch();
    }

    /**
     * Runs JCuda's class initialiser with our copy in its way. Only the first call for a library has an effect.
     *
     * @throws LinkageError if the library is missing, is not the known one, or lacks the CUDA driver
     */
    void load(FirstTouch touch) {
        synchronized (JCudaLibrary.class) {
            Path directory = unpack();
            String usual = System.getProperty(TEMPORARY_DIRECTORY);
            System.setProperty(TEMPORARY_DIRECTORY, directory.toString());
            try {
                touch.touch();
            } finally {
                System.setProperty(TEMPORARY_DIRECTORY, usual);
                delete(directory);
            }
        }
    }

    private Path unpack() {
        try {
            byte[] library = bytes();
            Path directory = Files.createTempDirectory(
                    "sealbook-jcuda",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Files.write(directory.resolve(fileName), library);
            return directory;
        } catch (IOException | UnsupportedOperationException e) {
            throw unsatisfied(fileName + " could not be unpacked: " + e);
        }
    }

    private byte[] bytes() throws IOException {
        try (InputStream resource = JCudaLibrary.class.getResourceAsStream("/lib/" + fileName)) {
            if (resource == null) {
                throw unsatisfied(fileName + " is not on the class path");
            }
            byte[] library = resource.readAllBytes();
            String found = HexFormat.of().formatHex(Sha256.of(library));
            if (!found.equals(sha256)) {
                throw unsatisfied(fileName + " is not the known one: SHA-256 " + found);
            }
            return library;
        }
    }

    /** A loaded library stays mapped without its file. */
    private void delete(Path directory) {
        try {
            Files.deleteIfExists(directory.resolve(fileName));
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw unsatisfied(directory + " could not be removed: " + e);
        }
    }

    private static UnsatisfiedLinkError unsatisfied(String reason) {
        return new UnsatisfiedLinkError(reason);
    }
}
