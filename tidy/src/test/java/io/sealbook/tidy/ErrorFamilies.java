package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An unchecked exception of the product is of one of three families: an operating failure, a broken invariant, or
 * malformed input. Read from sources, so that no module is left out because another one does not depend on it. A simple
 * name identifies a class ({@link ClassNames}); nested exceptions are named apart, too.
 */
final class ErrorFamilies {
    static final String RULE = "error-family";
    static final String REMEDY =
            "extend OperatingFailureException, BrokenInvariantException or IllegalArgumentException (docs/HACKING.md)";

    private static final Pattern CLASS = Pattern.compile("\\bclass\\s+(\\w+)[^{;]*?\\bextends\\s+([\\w.]+)");
    private static final Set<String> FAMILIES =
            Set.of("OperatingFailureException", "BrokenInvariantException", "IllegalArgumentException");
    /** Checked ones are handled where they are declared. */
    private static final Set<String> CHECKED = Set.of(
            "Exception",
            "IOException",
            "EOFException",
            "GeneralSecurityException",
            "InterruptedException",
            "TimeoutException",
            "ExecutionException");
    /** What a broker's program catches has a family of its own; tools end with their exceptions. */
    private static final List<String> EXEMPT = List.of("client-sdk/", "perf/", "simulator/");

    private ErrorFamilies() {}

    private record Declared(String path, int line, String base) {}

    /**
     * Returns an offence for each unchecked exception of the product that is of no family.
     *
     * @param files all files of the checkout
     */
    static List<Offence> offences(List<TextFile> files) {
        Map<String, Declared> byName = new TreeMap<>();
        for (TextFile file : files) {
            if (!file.path().contains("/src/main/java/") || !file.endsWith(".java")) {
                continue;
            }
            String text = String.join("\n", file.lines());
            Matcher declared = CLASS.matcher(text);
            while (declared.find()) {
                String base = declared.group(2);
                byName.put(
                        declared.group(1),
                        new Declared(
                                file.path(),
                                1
                                        + (int) text.substring(0, declared.start())
                                                .chars()
                                                .filter(each -> each == '\n')
                                                .count(),
                                base.substring(base.lastIndexOf('.') + 1)));
            }
        }
        List<Offence> offences = new ArrayList<>();
        byName.forEach((name, declared) -> {
            String root = root(name, byName);
            boolean isUnchecked = (root.endsWith("Exception") || root.endsWith("Error")) && !CHECKED.contains(root);
            if (isUnchecked
                    && !FAMILIES.contains(name)
                    && !FAMILIES.contains(root)
                    && EXEMPT.stream().noneMatch(declared.path()::startsWith)) {
                offences.add(new Offence(
                        RULE, declared.path(), declared.line(), name + " extends " + root + " and is of no family"));
            }
        });
        return offences;
    }

    /** Returns the first ancestor that is a family or no class of the product. */
    private static String root(String name, Map<String, Declared> byName) {
        String at = byName.get(name).base();
        while (!FAMILIES.contains(at) && byName.containsKey(at)) {
            at = byName.get(at).base();
        }
        return at;
    }
}
