package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * No product class reads a system property of Sealbook: a setting comes from the process's configuration file or from
 * its caller, through a record that checks it. Properties of the virtual machine may be read.
 */
final class PropertyReads {
    static final String RULE = "property";
    static final String REMEDY = "take the value from a settings record that the process's configuration file fills";

    /** The laboratory, and what only tests use: {@code -Dsealbook.data}, {@code -Dsealbook.bench.dir}. */
    private static final Set<String> LABORATORY = Set.of("perf", "test-kit", "tidy");

    private static final Pattern READ =
            Pattern.compile("\\b(?:System\\.getProperty|Integer\\.getInteger|Long\\.getLong|Boolean\\.getBoolean)\\(");
    /** A whole name or the beginning of one: the read may take it from a constant. */
    private static final String OWN_NAME = "\"sealbook.";

    private PropertyReads() {}

    static List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        boolean isProduct = file.path().contains("/src/main/java/") && !LABORATORY.contains(file.module());
        if (isProduct && file.lines().stream().anyMatch(line -> line.contains(OWN_NAME))) {
            for (int i = 0; i < file.lines().size(); i++) {
                if (READ.matcher(file.lines().get(i)).find()) {
                    offences.add(new Offence(RULE, file.path(), i + 1, "reads a system property of Sealbook"));
                }
            }
        }
        return offences;
    }
}
