package io.sealbook.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The kept inputs of a decoder: a text file with an input per line in Base64. Lines that begin with {@code #} say what
 * the input after them found. The order is that of the lines, findings first, so that two branches merge line by line.
 *
 * @param file of the decoder
 */
public record Corpus(Path file) {
    private static final String REMARK = "#";
    /** Inputs kept for their coverage, the shortest: a replay takes seconds, and a repository keeps them for ever. */
    private static final int COVERING_MAX = 64;

    /**
     * Returns the corpus of a decoder.
     *
     * @param module directory of this module
     * @param decoder whose inputs they are
     */
    public static Corpus of(Path module, Decoder decoder) {
        return new Corpus(module.resolve("corpus").resolve(decoder.name() + ".txt"));
    }

    /** Returns the inputs, without those of remarks only; empty if there is no file. */
    public List<byte[]> read() throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        for (String line : lines()) {
            if (!line.startsWith(REMARK)) {
                inputs.add(Base64.getDecoder().decode(line));
            }
        }
        return inputs;
    }

    /**
     * Replaces the inputs found by coverage, the shortest of which are kept; findings, which have a remark, stay.
     *
     * @param inputs in any order
     */
    public void replace(Collection<byte[]> inputs) throws IOException {
        List<String> findings = new ArrayList<>();
        boolean isFinding = false;
        for (String line : lines()) {
            if (line.startsWith(REMARK) || isFinding) {
                findings.add(line);
            }
            isFinding = line.startsWith(REMARK);
        }
        List<String> all = new ArrayList<>(findings);
        inputs.stream()
                .map(input -> Base64.getEncoder().encodeToString(input))
                .distinct()
                .filter(line -> !findings.contains(line))
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .limit(COVERING_MAX)
                .sorted()
                .forEach(all::add);
        Files.createDirectories(file.getParent());
        Files.write(file, all, StandardCharsets.US_ASCII);
    }

    private List<String> lines() throws IOException {
        return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.US_ASCII) : List.of();
    }
}
