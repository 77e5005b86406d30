package io.sealbook.simulator.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One planted bug: a snippet of a source file, and the mistake in its place.
 *
 * @param name unique in the catalogue
 * @param file source, relative to the repository's root, with forward slashes
 * @param intent what is wrong then, in a sentence
 * @param snippet occurs exactly once in the file; how white space is arranged does not count
 * @param replacement the mistake
 * @param tests names of the test classes, or of the attacks of a siege, that find it; empty if the simulator does
 * @param place file and line of the catalogue
 */
public record Mutant(
        String name, String file, String intent, String snippet, String replacement, List<String> tests, String place) {

    boolean isFoundBySimulator() {
        return tests.isEmpty();
    }

    /** Returns the same mutant as if only the simulator could find it. */
    Mutant withoutTests() {
        return new Mutant(name, file, intent, snippet, replacement, List.of(), place);
    }

    /**
     * Returns the source with the mistake in it.
     *
     * @param repository root of a checkout
     * @throws StaleMutantException if the snippet does not occur exactly once
     */
    public String applyTo(Path repository) {
        String source = source(repository);
        Matcher matcher = pattern().matcher(source);
        int count = 0;
        while (matcher.find()) {
            count++;
        }
        if (count != 1) {
            throw new StaleMutantException(this, "its snippet occurs " + count + " times in " + file);
        }
        String changed = matcher.replaceFirst(Matcher.quoteReplacement(replacement));
        if (changed.equals(source)) {
            throw new StaleMutantException(this, "its replacement is what the file contains");
        }
        return changed;
    }

    private String source(Path repository) {
        Path path = repository.resolve(file);
        if (!Files.isRegularFile(path)) {
            throw new StaleMutantException(this, "there is no file " + file);
        }
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns why the mutant cannot be planted in this checkout; empty if it can. */
    public Optional<String> staleness(Path repository) {
        try {
            applyTo(repository);
            return Optional.empty();
        } catch (StaleMutantException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** The formatter may break lines elsewhere at any time. */
    private Pattern pattern() {
        return Pattern.compile(
                Arrays.stream(snippet.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
    }
}
