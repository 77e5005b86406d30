package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is referred to exists: files that Markdown links to or that a comment names, headings behind '#', pitfalls by
 * number, decisions by number. A requirement's number refers to nothing in this repository.
 */
final class References {
    static final String RULE = "reference";
    static final String REMEDY =
            "name something that exists: a file, a pitfall of " + References.PITFALLS + ", a record of docs/decisions";

    static final String PITFALLS = "pbft/doc/pitfalls.md";

    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
    private static final Pattern NAMED_FILE = Pattern.compile("(?<![\\w/.-])((?:[\\w-]+/)+[\\w.-]+\\.md)\\b");
    private static final Pattern PITFALL = Pattern.compile("\\b[Pp]itfalls? (\\d+)");
    private static final Pattern DECISION = Pattern.compile("\\b[Dd]ecisions? (\\d+)");
    private static final Pattern REQUIREMENT = Pattern.compile("\\b[Rr]equirements? ([A-Z]?\\d+)");
    private static final Pattern PITFALL_HEADING = Pattern.compile("(?m)^#+ (?:Pitfall )?(\\d+)\\b");
    private static final Pattern RECORD = Pattern.compile("docs/decisions/(\\d{4})-[\\w-]+\\.md");

    private final Set<String> paths;
    private final Predicate<String> exists;
    private final Set<Integer> pitfalls;
    private final Set<Integer> decisions;

    /**
     * @param files all files of the checkout
     * @param exists whether a path from the root, without a leading slash, is a file or a folder
     */
    References(List<TextFile> files, Predicate<String> exists) {
        this.exists = exists;
        paths = files.stream().map(TextFile::path).collect(Collectors.toSet());
        pitfalls = files.stream()
                .filter(file -> file.path().equals(PITFALLS))
                .flatMap(file ->
                        PITFALL_HEADING.matcher(String.join("\n", file.lines())).results())
                .map(result -> Integer.parseInt(result.group(1)))
                .collect(Collectors.toSet());
        decisions = paths.stream()
                .map(RECORD::matcher)
                .filter(Matcher::matches)
                .map(matcher -> Integer.parseInt(matcher.group(1)))
                .collect(Collectors.toSet());
    }

    List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            int number = i + 1;
            if (file.endsWith(".md")) {
                LINK.matcher(line)
                        .results()
                        .map(result -> result.group(1))
                        .filter(link -> !isThere(file, link))
                        .forEach(link -> offences.add(offence(file, number, "links to " + link)));
            }
            NAMED_FILE
                    .matcher(line)
                    .results()
                    .map(result -> result.group(1))
                    .filter(name -> !line.contains("://") && !isThere(file, name))
                    .forEach(name -> offences.add(offence(file, number, "names " + name)));
            addNumbers(PITFALL, pitfalls, file, number, offences);
            addNumbers(DECISION, decisions, file, number, offences);
            REQUIREMENT
                    .matcher(line)
                    .results()
                    .forEach(result -> offences.add(offence(file, number, "names " + result.group())));
        }
        return offences;
    }

    private void addNumbers(Pattern pattern, Set<Integer> known, TextFile file, int line, List<Offence> offences) {
        pattern.matcher(file.lines().get(line - 1))
                .results()
                .filter(result -> !known.contains(Integer.parseInt(result.group(1))))
                .forEach(result -> offences.add(offence(file, line, "names " + result.group())));
    }

    private static Offence offence(TextFile file, int line, String reference) {
        return new Offence(RULE, file.path(), line, reference + ", which does not exist");
    }

    /** A path counts from the file's folder, from its module or from the root. */
    private boolean isThere(TextFile file, String link) {
        if (link.contains("://") || link.startsWith("#") || link.startsWith("mailto:")) {
            return true;
        }
        String path = link.replaceFirst("#.*", "");
        String folder =
                file.path().contains("/") ? file.path().substring(0, file.path().lastIndexOf('/')) : "";
        return isFile(folder + '/' + path) || isFile(file.module() + '/' + path) || isFile(path);
    }

    private boolean isFile(String path) {
        String normal = java.nio.file.Path.of("/" + path).normalize().toString().substring(1);
        return paths.contains(normal) || exists.test(normal);
    }
}
