package io.sealbook.perf.flow;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Finds and opens flow files: plain, {@code .gz}, or a LOBSTER {@code .zip}. */
public final class FlowFiles {
    private FlowFiles() {}

    /**
     * Reads a flow; its content decides the format.
     *
     * @param file a LOBSTER message file beside its orderbook file, a LOBSTER zip with both, or a Shanghai flow file
     * @throws IOException if the file is absent or in no known format; the message names the file and line
     */
    public static OrderFlow read(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            throw new NoSuchFileException(file.toString(), null, "does not exist or cannot be read");
        }
        if (file.toString().endsWith(".zip")) {
            return LobsterFlow.readZip(file);
        }
        String firstLine;
        try (BufferedReader reader = open(file)) {
            do {
                firstLine = reader.readLine();
            } while (firstLine != null && firstLine.startsWith(ShanghaiFlow.REMARK));
        }
        if (firstLine != null && ShanghaiFlow.looksLike(firstLine)) {
            return ShanghaiFlow.read(file);
        }
        if (firstLine != null && LobsterFlow.looksLike(firstLine)) {
            return LobsterFlow.read(file);
        }
        throw new IOException(
                file + " is neither a LOBSTER message file nor a Shanghai flow file; it starts with: " + firstLine);
    }

    /**
     * Returns where recorded days are looked for: {@code -Dsealbook.data=DIR}, else {@code shared/data} beside the
     * checkout. They are market data of their exchanges and never part of the repository.
     *
     * @param home the checkout's folder
     */
    public static Path dataDirectory(Path home) {
        String given = System.getProperty("sealbook.data", "");
        return !given.isEmpty()
                ? Path.of(given)
                : home.resolve("../shared/data").normalize();
    }

    /**
     * Returns the flows found below a data directory: LOBSTER zips and Shanghai flow files, in the order of their
     * names.
     */
    public static List<Path> find(Path dataDirectory) throws IOException {
        List<Path> found = new ArrayList<>();
        collect(dataDirectory.resolve("lobster"), "LOBSTER_SampleFile_*.zip", found);
        collect(dataDirectory.resolve("sse"), "sse_*_flow.csv*", found);
        return found;
    }

    private static void collect(Path directory, String glob, List<Path> found) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        List<Path> matches = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(matches::add);
        }
        matches.sort(null);
        found.addAll(matches);
    }

    static BufferedReader open(Path file) throws IOException {
        InputStream stream = Files.newInputStream(file);
        return reader(file.toString().endsWith(".gz") ? new GZIPInputStream(stream, 1 << 16) : stream);
    }

    static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.US_ASCII), 1 << 16);
    }
}
