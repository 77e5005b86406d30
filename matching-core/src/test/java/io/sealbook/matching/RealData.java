package io.sealbook.matching;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds recorded order flow beside the repository or where {@code -Dsealbook.data=DIR} says; it is never part of the
 * repository.
 */
final class RealData {
    private RealData() {}

    /** Returns the path of a file below the data folder; skips the calling test when it is not there. */
    static Path file(String name) {
        String given = System.getProperty("sealbook.data");
        if (given != null) {
            return existing(Path.of(given).resolve(name), name);
        }
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("mvnw"))) {
            folder = folder.getParent();
        }
        Path root = folder == null ? Path.of("").toAbsolutePath() : folder;
        return existing(root.resolveSibling("shared").resolve("data").resolve(name), name);
    }

    private static Path existing(Path path, String name) {
        Assumptions.assumeTrue(
                Files.exists(path),
                () -> "needs recorded days: no " + name + " at " + path + "; say where with -Dsealbook.data=DIR");
        return path;
    }

    static BufferedReader gzipLines(Path path) throws IOException {
        return lines(new GZIPInputStream(Files.newInputStream(path), 1 << 16));
    }

    static BufferedReader gzipResourceLines(String name) throws IOException {
        return lines(new GZIPInputStream(RealData.class.getResourceAsStream(name), 1 << 16));
    }

    static BufferedReader resourceLines(String name) {
        return lines(RealData.class.getResourceAsStream(name));
    }

    static BufferedReader lines(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.US_ASCII), 1 << 16);
    }
}
