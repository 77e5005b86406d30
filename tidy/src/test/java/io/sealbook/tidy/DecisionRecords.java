package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Each record of {@code docs/decisions} carries a status and is a line of the index with that status. */
final class DecisionRecords {
    static final String RULE = "decision";
    static final String REMEDY =
            "give the record a line \"Status: accepted.\" after its title, and add it to the table "
                    + "of docs/decisions/README.md";

    private static final String INDEX = "docs/decisions/README.md";
    private static final Pattern RECORD = Pattern.compile("docs/decisions/(\\d{4}-[\\w-]+\\.md)");
    private static final Pattern STATUS =
            Pattern.compile("Status: (proposed|accepted|withdrawn|superseded by \\d+)\\.");

    private DecisionRecords() {}

    /**
     * Returns an offence for each record without a status or without its line in the index.
     *
     * @param files all files of the checkout
     */
    static List<Offence> offences(List<TextFile> files) {
        List<String> index = files.stream()
                .filter(file -> file.path().equals(INDEX))
                .findFirst()
                .map(TextFile::lines)
                .orElse(List.of());
        List<Offence> offences = new ArrayList<>();
        for (TextFile file : files) {
            Matcher record = RECORD.matcher(file.path());
            if (!record.matches()) {
                continue;
            }
            Matcher status = STATUS.matcher(String.join("\n", file.lines()));
            if (!status.find()) {
                offences.add(new Offence(RULE, file.path(), 0, "has no status"));
            } else if (index.stream()
                    .noneMatch(line -> line.contains("(" + record.group(1) + ")")
                            && line.endsWith("| " + status.group(1) + " |"))) {
                offences.add(new Offence(
                        RULE, file.path(), 0, "is " + status.group(1) + ", and no line of " + INDEX + " says so"));
            }
        }
        return offences;
    }
}
