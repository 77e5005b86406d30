package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * No product class formats in the language of the machine: names of files, JSON and statements must be the same
 * everywhere, and some languages have digits of their own.
 */
final class Formats {
    static final String RULE = "format";
    static final String REMEDY = "use String.format(Locale.ROOT, ...)";

    private static final Set<String> LABORATORY =
            Set.of("perf", "chaos", "simulator", "fuzz", "gpu-native", "test-kit", "tidy");

    private Formats() {}

    static List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        boolean isProduct = file.path().contains("/src/main/java/") && !LABORATORY.contains(file.module());
        for (int i = 0; isProduct && i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            String next = i + 1 < file.lines().size() ? file.lines().get(i + 1) : "";
            boolean isLocal = line.contains("String.format(") && !(line + next).contains("Locale.");
            if (isLocal || line.contains(".formatted(")) {
                offences.add(new Offence(RULE, file.path(), i + 1, "formats in the language of the machine"));
            }
        }
        return offences;
    }
}
