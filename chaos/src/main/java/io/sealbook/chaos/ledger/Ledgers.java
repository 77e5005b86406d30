package io.sealbook.chaos.ledger;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The ledgers of a broker, one for each run of its program: {@code ledger-0001}, {@code ledger-0002} and so on. */
public final class Ledgers {
    private static final String PREFIX = "ledger-";

    private Ledgers() {}

    /**
     * Creates the ledger of the next run.
     *
     * @param directory of the broker; stays the caller's
     */
    public static LedgerWriter createNext(Path directory) throws IOException {
        Files.createDirectories(directory);
        return LedgerWriter.create(
                directory.resolve("%s%04d".formatted(PREFIX, files(directory).size() + 1)));
    }

    /**
     * Reads what the runs of a broker's program recorded.
     *
     * @param directory of the broker
     * @return a list for each run, in the order of the runs; the entries in the order of their lines
     * @throws IOException if a file cannot be read, or a line that is whole is no entry
     */
    public static List<List<LedgerEntry>> read(Path directory) throws IOException {
        List<List<LedgerEntry>> runs = new ArrayList<>();
        for (Path file : files(directory)) {
            runs.add(readRun(file));
        }
        return runs;
    }

    private static List<LedgerEntry> readRun(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.UTF_8);
        List<LedgerEntry> entries = new ArrayList<>();
        // What follows the last end of a line was being written when the program was killed.
        for (int start = 0, end = text.indexOf('\n'); end >= 0; start = end + 1, end = text.indexOf('\n', start)) {
            try {
                entries.add(LedgerText.entry(text.substring(start, end)));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }
        return entries;
    }

    private static List<Path> files(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith(PREFIX))
                    .sorted()
                    .toList();
        }
    }
}
