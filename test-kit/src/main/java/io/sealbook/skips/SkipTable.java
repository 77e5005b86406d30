package io.sealbook.skips;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Prints at the end of a build what it skipped, a row per module, test class and reason.
 *
 * <p>A strict build fails on each skip that this machine could serve, and on each whose reason names no {@link Need}.
 */
public final class SkipTable {
    private final List<Skip> skips;
    private final Predicate<Need> isServed;

    SkipTable(List<Skip> skips, Predicate<Need> isServed) {
        this.skips = List.copyOf(skips);
        this.isServed = isServed;
    }

    /**
     * Prints the table of one build.
     *
     * @param args the checkout's folder; when the build began, as ISO 8601; {@code true} for a strict build
     * @throws IOException if a record cannot be read
     */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]);
        boolean isStrict = Boolean.parseBoolean(args[2]);
        SkipTable table = new SkipTable(read(root, Instant.parse(args[1])), need -> need.isServed(root));
        table.print(System.out);
        List<String> faults = table.faults();
        if (isStrict && !faults.isEmpty()) {
            faults.forEach(System.out::println);
            System.out.println("A strict build (-Pstrict) fails on these " + faults.size() + " skips.");
            System.exit(1);
        }
    }

    /**
     * Reads the records of all modules, with those of earlier builds left out.
     *
     * @param root the checkout's folder
     * @param since records last written before are of an earlier build
     */
    static List<Skip> read(Path root, Instant since) throws IOException {
        List<Skip> skips = new ArrayList<>();
        for (Path module : listed(root)) {
            for (Path file : listed(module.resolve("target/skips"))) {
                if (!Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
                    Files.readAllLines(file).forEach(line -> skips.add(Skip.parse(line)));
                }
            }
        }
        return skips;
    }

    /** Returns what a folder holds, sorted; nothing if there is no such folder. */
    private static List<Path> listed(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.sorted().toList();
        }
    }

    /** Prints one row per module, test class and reason, with the number of tests. */
    void print(PrintStream out) {
        if (skips.isEmpty()) {
            out.println("This build skipped nothing.");
            return;
        }
        Map<String, Integer> counts = new TreeMap<>();
        skips.forEach(skip -> counts.merge(skip.toLine(), 1, Integer::sum));
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"module", "skipped", "tests", "this machine has it", "reason"});
        counts.forEach((line, count) -> {
            Skip skip = Skip.parse(line);
            rows.add(new String[] {skip.module(), skip.what(), count.toString(), verdict(skip), skip.reason()});
        });
        int[] widths = new int[4];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        out.println("Skipped in this build:");
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + 2));
            }
            out.println(line.append(row[4]));
        }
    }

    /** Returns a sentence for each skip that a strict build refuses. */
    List<String> faults() {
        return skips.stream()
                .filter(skip -> !verdict(skip).equals("no"))
                .map(this::fault)
                .distinct()
                .sorted()
                .toList();
    }

    private String verdict(Skip skip) {
        List<Need> needs = Need.namedIn(skip.reason());
        if (needs.isEmpty()) {
            return "unknown";
        }
        return needs.stream().allMatch(isServed) ? "yes" : "no";
    }

    private String fault(Skip skip) {
        List<Need> needs = Need.namedIn(skip.reason());
        String where = skip.module() + ": " + skip.what() + " was skipped (" + skip.reason() + ")";
        if (needs.isEmpty()) {
            return where + ", and the reason names no need; write \"needs \" and a key of io.sealbook.skips.Need";
        }
        List<String> descriptions = needs.stream().map(Need::description).toList();
        return where + " although this machine has " + String.join(" and ", descriptions);
    }
}
