package io.sealbook.simulator.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a catalogue: files {@code *.mutants} of a checkout, those of the simulator or others.
 *
 * <pre>
 *   # a remark
 *   [name] path/of/Source.java
 *   What is wrong then, in one or more lines.
 *   tests package.OneTest package.OtherTest      if the simulator cannot see it; of a siege: names of attacks
 *   - the snippet, in one or more lines
 *   + the mistake, in none or more lines
 * </pre>
 */
public final class MutantCatalogue {
    /** Where the catalogue is in a checkout. */
    static final String DIRECTORY = "simulator/mutants";

    private static final String SUFFIX = ".mutants";
    private static final Pattern HEAD = Pattern.compile("\\[([a-z0-9-]+)] (\\S+\\.java)");
    private static final String TESTS = "tests ";

    private MutantCatalogue() {}

    /** Reads all mutants of the simulator's catalogue. */
    static List<Mutant> read(Path repository) {
        return read(repository, DIRECTORY);
    }

    /**
     * Reads all mutants, in the order of their files and lines.
     *
     * @param repository root of a checkout
     * @param directory of the catalogue in it, with forward slashes
     * @throws IllegalArgumentException if a file is not of the form above, or two mutants have one name
     */
    public static List<Mutant> read(Path repository, String directory) {
        List<Mutant> mutants = new ArrayList<>();
        try (Stream<Path> files = Files.list(repository.resolve(directory))) {
            for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                mutants.addAll(parse(directory + "/" + file.getFileName(), Files.readAllLines(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no catalogue in " + repository.resolve(directory), e);
        }
        Set<String> names = new HashSet<>();
        for (Mutant mutant : mutants) {
            require(names.add(mutant.name()), mutant.place(), "a second mutant " + mutant.name());
        }
        return mutants;
    }

    /**
     * Reads the mutants of one file.
     *
     * @param file its name, for messages
     * @param lines of the file
     */
    static List<Mutant> parse(String file, List<String> lines) {
        List<Mutant> mutants = new ArrayList<>();
        int begin = 0;
        for (int end = 0; end <= lines.size(); end++) {
            if (end == lines.size() || lines.get(end).isBlank()) {
                List<String> entry = lines.subList(begin, end).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList();
                if (!entry.isEmpty()) {
                    mutants.add(entry(file + ":" + (begin + 1), entry));
                }
                begin = end + 1;
            }
        }
        return mutants;
    }

    private static Mutant entry(String place, List<String> lines) {
        Matcher head = HEAD.matcher(lines.getFirst());
        require(head.matches(), place, "expected [name] path/of/Source.java, found " + lines.getFirst());
        StringBuilder intent = new StringBuilder();
        StringBuilder snippet = new StringBuilder();
        StringBuilder replacement = new StringBuilder();
        List<String> tests = List.of();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("-")) {
                append(snippet, line.substring(1), "\n");
            } else if (line.startsWith("+")) {
                append(replacement, line.substring(1), "\n");
            } else if (line.startsWith(TESTS)) {
                tests = List.of(line.substring(TESTS.length()).strip().split("\\s+"));
            } else {
                append(intent, line, " ");
            }
        }
        require(!intent.isEmpty(), place, "says nothing about what is wrong");
        require(!snippet.isEmpty(), place, "has no line that begins with '-'");
        return new Mutant(
                head.group(1),
                head.group(2),
                intent.toString(),
                snippet.toString(),
                replacement.toString(),
                tests,
                place);
    }

    private static void append(StringBuilder to, String line, String separator) {
        to.append(to.isEmpty() ? "" : separator).append(line.strip());
    }

    private static void require(boolean condition, String place, String fact) {
        if (!condition) {
            throw new IllegalArgumentException(place + ": " + fact);
        }
    }
}
