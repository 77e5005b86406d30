package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The overviews of modules and packages name classes that exist. A word of several humps in a module's README or in a
 * {@code package-info.java} is a class of the checkout, one that its sources import, or a word of another field.
 */
final class ClassMentions {
    static final String RULE = "class-mention";
    static final String REMEDY = "name a class that exists; a word that is no class stands in ClassMentions.WORDS";

    /** Projects, techniques and fields of FIX that are written like classes. */
    private static final Set<String> WORDS = Set.of(
            "ArchUnit",
            "ExecType",
            "FastFabric",
            "OrdType",
            "OrderBatch",
            "OrderBook",
            "WebFlux",
            "WebSocket",
            "WebSockets");

    private static final Pattern OVERVIEW = Pattern.compile("[\\w-]+/README\\.md|.*/package-info\\.java");
    private static final Pattern NAME = Pattern.compile("(?<![\\w.#/$-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+(?![\\w-])");
    private static final Pattern DECLARED = Pattern.compile("\\b(?:class|interface|record|enum)\\s+(\\w+)");
    private static final Pattern IMPORTED = Pattern.compile("^import [\\w.]*?([A-Z]\\w*)(?:\\.(\\w+))?;");

    private final Set<String> known = new HashSet<>(WORDS);

    /** @param files all files of the checkout */
    ClassMentions(List<TextFile> files) {
        files.stream().filter(file -> file.endsWith(".java")).forEach(this::learn);
    }

    private void learn(TextFile source) {
        for (String line : source.lines()) {
            Matcher declared = DECLARED.matcher(line);
            while (declared.find()) {
                known.add(declared.group(1));
            }
            Matcher imported = IMPORTED.matcher(line);
            if (imported.find()) {
                known.add(imported.group(1));
                known.add(imported.group(2));
            }
        }
    }

    List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        if (!OVERVIEW.matcher(file.path()).matches()) {
            return offences;
        }
        for (int i = 0; i < file.lines().size(); i++) {
            Matcher name = NAME.matcher(file.lines().get(i));
            while (name.find()) {
                if (!isKnown(name.group())) {
                    offences.add(
                            new Offence(RULE, file.path(), i + 1, "names " + name.group() + ", which is no class"));
                }
            }
        }
        return offences;
    }

    private boolean isKnown(String name) {
        return known.contains(name)
                || name.endsWith("s") && known.contains(name.substring(0, name.length() - 1))
                || isOfTheLanguage(name);
    }

    private static boolean isOfTheLanguage(String name) {
        try {
            Class.forName("java.lang." + name, false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
