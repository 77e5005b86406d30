package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** No file names a folder of one machine: a home, or a folder that every machine empties. */
final class MachinePaths {
    static final String RULE = "machine-path";
    static final String REMEDY = "take the folder from an argument, a property or the JDK's temporary folder";

    private static final Pattern MACHINE = Pattern.compile("(?<![\\w.])/(?:tmp|work|root|home)/[\\w.-]*");

    private MachinePaths() {}

    static List<Offence> offences(TextFile file) {
        List<Offence> offences = new ArrayList<>();
        if (file.path().equals(".gitignore")) {
            return offences;
        }
        for (int i = 0; i < file.lines().size(); i++) {
            Matcher matcher = MACHINE.matcher(file.lines().get(i));
            while (matcher.find()) {
                offences.add(new Offence(RULE, file.path(), i + 1, "names " + matcher.group()));
            }
        }
        return offences;
    }
}
