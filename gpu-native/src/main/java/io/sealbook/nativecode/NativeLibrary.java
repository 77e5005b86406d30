package io.sealbook.nativecode;

import io.sealbook.crypto.Opening;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Function;

/**
 * The library libsealbook, loaded once per process from this module's resources.
 *
 * <p>The file is unpacked into a new directory that only its owner may enter, and removed as soon as it is loaded, so
 * no other user can replace it in between. Any thread.
 */
final class NativeLibrary {
    private static final String RESOURCE = "/native/linux-x86_64/libsealbook.so";

    /** How loading went in this process. */
    private static final Loading LOADING = load();

    private NativeLibrary() {}

    /**
     * How loading went.
     *
     * @param outcome whether the library is loaded, and if not, whether that is a fault
     * @param description one line for the operator
     */
    record Loading(Outcome outcome, String description) {
        /** What loading can end with. */
        enum Outcome {
            /** Its functions can be called. */
            LOADED,
            /** There is no library for this machine. */
            ABSENT,
            /** There is one, and the machine refuses it. */
            FAILED
        }

        boolean isLoaded() {
            return outcome == Outcome.LOADED;
        }

        /**
         * Opens what the library provides.
         *
         * @param open called with the description if the library is loaded
         */
        <T> Opening<T> open(Function<String, Opening<T>> open) {
            return switch (outcome) {
                case LOADED -> open.apply(description);
                case ABSENT -> new Opening.Absent<>(description);
                case FAILED -> new Opening.Failed<>(description);
            };
        }
    }

    static Loading loading() {
        return LOADING;
    }

    static boolean isLoaded() {
        return LOADING.isLoaded();
    }

    /** Returns one line for the operator. */
    static String status() {
        return LOADING.description();
    }

    private static Loading load() {
        String platform = System.getProperty("os.name") + " on " + System.getProperty("os.arch");
        if (!platform.equals("Linux on amd64")) {
            return new Loading(Loading.Outcome.ABSENT, "no library for " + platform);
        }
        try (InputStream library = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                return new Loading(Loading.Outcome.ABSENT, "built without libsealbook: there was no C compiler");
            }
            unpackAndLoad(library);
            return new Loading(Loading.Outcome.LOADED, "libsealbook loaded");
        } catch (IOException | LinkageError | SecurityException e) {
            return new Loading(
                    Loading.Outcome.FAILED,
                    "libsealbook cannot be loaded: " + e
                            + "; -Djava.io.tmpdir must name a directory that can be written"
                            + " and is not mounted noexec");
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
