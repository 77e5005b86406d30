package io.sealbook.jni;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The library libsealbook, loaded once a process from this module's resources.
 *
 * <p>The file is unpacked into a new directory that only its owner may enter, and removed as soon as it is loaded, so nobody can put another in its
 * place. Any thread.
 */
final class NativeLibrary {
    private static final String RESOURCE = "/native/linux-x86_64/libsealbook.so";

    /** How loading went; empty text when the library is loaded. */
    private static final String FAILURE = load();

    private NativeLibrary() {}

    static boolean isLoaded() {
        return FAILURE.isEmpty();
    }

    /** Returns one line for the operator. */
    static String status() {
        return isLoaded() ? "libsealbook loaded" : FAILURE;
    }

    private static String load() {
        String platform = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!platform.equals("Linux on amd64")) {
            return "no library for " + platform;
        }
        try (InputStream library = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                return "built without libsealbook: there was no C compiler";
            }
            unpackAndLoad(library);
            return "";
        } catch (IOException | LinkageError | SecurityException e) {
            return "libsealbook cannot be loaded: " + e;
        }
    }

    private static void unpackAndLoad(InputStream library) throws IOException {
        Path directory = Files.createTempDirectory(
                "sealbook", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path file = directory.resolve("libsealbook.so");
        try {
            Files.copy(library, file);
            System.load(file.toString());
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }
}
