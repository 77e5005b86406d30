package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * No line is wider than 120 columns. Exempt are rows of Markdown tables, lines that consist of one word (a link, a
 * digest, a string literal that a test compares), XML (one element per line) and files of data.
 */
final class LineWidth {
    static final String RULE = "width";
    static final String REMEDY = "break the line; no line is wider than 120 columns in code, comments and Markdown";

    private static final int COLUMNS_MAX = 120;
    private static final String[] EXEMPT = {".csv", ".tsv", ".json", ".ptx", ".xml", "LICENSE"};
    private static final Pattern TABLE_ROW = Pattern.compile("\\s*\\|.*\\|\\s*");
    /** What may surround a single word: the marks of a comment, of a list, of a concatenation. */
    private static final Pattern ONE_WORD = Pattern.compile("\\s*([-+*#/>]+\\s+)?\\S+");

    private LineWidth() {}

    static List<Offence> offences(TextFile file) {
        if (file.endsWith(EXEMPT)) {
            return List.of();
        }
        List<Offence> offences = new ArrayList<>();
        for (int i = 0; i < file.lines().size(); i++) {
            String line = file.lines().get(i);
            int columns = line.codePointCount(0, line.length());
            if (columns > COLUMNS_MAX && !isExempt(file, line)) {
                offences.add(new Offence(RULE, file.path(), i + 1, columns + " columns"));
            }
        }
        return offences;
    }

    private static boolean isExempt(TextFile file, String line) {
        return ONE_WORD.matcher(line).matches()
                || file.endsWith(".md") && TABLE_ROW.matcher(line).matches();
    }
}
