package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Each record of {@code docs/decisions} carries a status and is a line of the index with that status. A record whose
 * status names another one that it changes is named in that one's status. Numbers follow each other.
 */
final class DecisionRecords {
    static final String RULE = "decision";
    static final String REMEDY = "give the record a line \"Status: accepted.\" after its title, add it to the table of "
            + "docs/decisions/README.md, and name it in the status of each record that it changes";

    private static final String INDEX = "docs/decisions/README.md";
    private static final Pattern RECORD = Pattern.compile("docs/decisions/((\\d{4})-[\\w-]+\\.md)");
    private static final Pattern STATUS =
            Pattern.compile("(?s)Status: (proposed|accepted|withdrawn|superseded by \\d+)\\.(.*?)(?:\n\n|$)");
    private static final Pattern CHANGE = Pattern.compile("\\b(?:Replaces|Supersedes|Changes|Adds to)\\b[^.;]*");
    private static final Pattern NUMBER = Pattern.compile("[Dd]ecisions?\\s+(\\d+)|\\[(\\d+)]");
    private static final Pattern TARGET_OF_LINK = Pattern.compile("]\\([^)]*\\)");
    private static final Pattern NOT_GIVEN = Pattern.compile("Number (\\d+) was not given");

    /** A record's file and what follows the word of its status. */
    private record Status(TextFile file, String word, String remarks) {
        boolean names(int number) {
            return word.equals("superseded by " + number)
                    || NUMBER.matcher(remarks).results().anyMatch(result -> number(result::group) == number);
        }
    }

    private DecisionRecords() {}

    /**
     * Returns an offence for each record without a status, without its line in the index, or which changes one that
     * does not say so, and one for each number that is missing.
     *
     * @param files all files of the checkout
     */
    static List<Offence> offences(List<TextFile> files) {
        String index = files.stream()
                .filter(file -> file.path().equals(INDEX))
                .findFirst()
                .map(file -> String.join("\n", file.lines()))
                .orElse("");
        List<Offence> offences = new ArrayList<>();
        TreeMap<Integer, Status> records = new TreeMap<>();
        for (TextFile file : files) {
            Matcher record = RECORD.matcher(file.path());
            if (!record.matches()) {
                continue;
            }
            Matcher status = STATUS.matcher(String.join("\n", file.lines()));
            if (!status.find()) {
                offences.add(new Offence(RULE, file.path(), 0, "has no status"));
                continue;
            }
            String remarks = TARGET_OF_LINK.matcher(status.group(2)).replaceAll("]");
            records.put(Integer.parseInt(record.group(2)), new Status(file, status.group(1), remarks));
            if (index.lines()
                    .noneMatch(line -> line.contains("(" + record.group(1) + ")")
                            && line.endsWith("| " + status.group(1) + " |"))) {
                offences.add(new Offence(
                        RULE, file.path(), 0, "is " + status.group(1) + ", and no line of " + INDEX + " says so"));
            }
        }
        offences.addAll(changes(records));
        offences.addAll(gaps(records, index));
        return offences;
    }

    private static List<Offence> changes(Map<Integer, Status> records) {
        List<Offence> offences = new ArrayList<>();
        records.forEach((number, status) -> CHANGE.matcher(status.remarks())
                .results()
                .flatMap(change -> NUMBER.matcher(change.group()).results())
                .map(result -> number(result::group))
                .filter(changed ->
                        records.containsKey(changed) && !records.get(changed).names(number))
                .forEach(changed -> offences.add(new Offence(
                        RULE,
                        records.get(changed).file().path(),
                        0,
                        "is changed by decision " + number + ", and its status does not say so"))));
        return offences;
    }

    private static int number(IntFunction<String> groups) {
        return Integer.parseInt(groups.apply(1) == null ? groups.apply(2) : groups.apply(1));
    }

    private static List<Offence> gaps(TreeMap<Integer, Status> records, String index) {
        List<Integer> notGiven = NOT_GIVEN
                .matcher(index)
                .results()
                .map(result -> Integer.parseInt(result.group(1)))
                .collect(Collectors.toList());
        List<Offence> offences = new ArrayList<>();
        for (int number = 1; !records.isEmpty() && number < records.lastKey(); number++) {
            if (!records.containsKey(number) && !notGiven.contains(number)) {
                offences.add(new Offence(RULE, INDEX, 0, "decision " + number + " is missing"));
            }
        }
        return offences;
    }
}
