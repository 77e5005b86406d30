package io.sealbook.tidy;

import io.sealbook.skips.Need;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A test that skips itself says what the machine lacks, by the key of a {@link Need}: only then can a strict build tell
 * a skip that the machine explains from one that hides a fault.
 */
final class SkipReasons {
    static final String RULE = "skip";
    static final String REMEDY = "name a need: assumeTrue(..., \"needs gcc: ...\"); class Need has the keys";

    private static final Pattern SKIP = Pattern.compile(
            "\\bassum(?:eTrue|eFalse|eThat|ingThat)\\(|\\bnew TestAbortedException\\(|@(?:En|Dis)abled(?:On|If)");
    /** A key, or one that the code chooses, or a reason that is no literal. */
    private static final Pattern REASON = Pattern.compile(", [a-zA-Z.]+\\(?\\)+;$|\"(?:[^\"]* )?needs (?:\" \\+|(?:"
            + Stream.of(Need.values()).map(Need::key).map(Pattern::quote).collect(Collectors.joining("|"))
            + ")(?![\\w+]))");

    private SkipReasons() {}

    static List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        if (!file.path().contains("/src/test/java/") || !file.endsWith(".java")) {
            return offences;
        }
        for (int i = 0; i < file.lines().size(); i++) {
            if (isCode(file.lines().get(i))
                    && SKIP.matcher(file.lines().get(i)).find()
                    && !REASON.matcher(statement(file.lines(), i)).find()) {
                offences.add(new Offence(RULE, file.path(), i + 1, "skips a test without the name of a need"));
            }
        }
        return offences;
    }

    private static boolean isCode(String line) {
        return !line.startsWith("import ")
                && !line.strip().startsWith("*")
                && !line.strip().startsWith("//");
    }

    /** Returns the lines up to the end of the statement, or to the class or method of an annotation. */
    private static String statement(List<String> lines, int first) {
        StringBuilder text = new StringBuilder();
        for (String line : lines.subList(first, lines.size())) {
            text.append(line.strip());
            if (line.endsWith(";") || line.endsWith("{")) {
                break;
            }
        }
        return text.toString();
    }
}
