package io.sealbook.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Offences per rule and file that were in the checkout when a rule came; the numbers may only fall.
 *
 * <p>A file that moved keeps its allowance as long as its name stays. {@code -Dtidy.update=true} writes the numbers of
 * today, and refuses to raise one.
 */
final class Ratchet {
    private static final String UPDATE = "tidy.update";
    private static final int SHOWN_MAX = 40;

    private final Path file;
    private final Checkout checkout;
    private final Map<String, Integer> allowances = new TreeMap<>();

    Ratchet(Path file, Checkout checkout) {
        this.file = file;
        this.checkout = checkout;
        try {
            for (String line : Files.readAllLines(file)) {
                String[] fields = line.split("\t");
                allowances.put(fields[0] + '\t' + fields[1], Integer.parseInt(fields[2]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Ratchet of(Checkout checkout) {
        return new Ratchet(checkout.root().resolve("tidy/src/test/resources/io/sealbook/tidy/ratchet.tsv"), checkout);
    }

    /**
     * Fails if a file breaks a rule more often than it may.
     *
     * @param rule the rule's name, which all offences carry
     * @param offences all places of the checkout that break it
     * @param remedy what to do, for the reader of the failure
     */
    void check(String rule, List<Offence> offences, String remedy) {
        Map<String, List<Offence>> byFile =
                offences.stream().collect(Collectors.groupingBy(Offence::file, TreeMap::new, Collectors.toList()));
        List<String> failures = new ArrayList<>();
        byFile.forEach((path, here) -> {
            int allowed = allowed(rule, path);
            if (here.size() > allowed) {
                here.forEach(offence -> failures.add(offence.toString()));
                if (allowed > 0) {
                    failures.add("    " + path + " may hold " + allowed + " of these " + here.size());
                }
            }
        });
        if (!failures.isEmpty()) {
            List<String> shown = failures.subList(0, Math.min(SHOWN_MAX, failures.size()));
            String rest = failures.size() > SHOWN_MAX ? "\n... and " + (failures.size() - SHOWN_MAX) + " more" : "";
            throw new AssertionError(rule + ": " + remedy + "\n" + String.join("\n", shown) + rest);
        }
        if (Boolean.getBoolean(UPDATE)) {
            lower(rule, byFile);
        }
    }

    private int allowed(String rule, String path) {
        Integer own = allowances.get(rule + '\t' + path);
        if (own != null) {
            return own;
        }
        String name = '/' + path.substring(path.lastIndexOf('/') + 1);
        return allowances.entrySet().stream()
                .filter(entry ->
                        entry.getKey().startsWith(rule + '\t') && entry.getKey().endsWith(name))
                .filter(entry -> !checkout.exists(entry.getKey().substring(rule.length() + 1)))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    private void lower(String rule, Map<String, List<Offence>> byFile) {
        allowances.keySet().removeIf(key -> key.startsWith(rule + '\t'));
        byFile.forEach((path, here) -> allowances.put(rule + '\t' + path, here.size()));
        String text = allowances.entrySet().stream()
                .map(entry -> entry.getKey() + '\t' + entry.getValue() + '\n')
                .collect(Collectors.joining());
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
