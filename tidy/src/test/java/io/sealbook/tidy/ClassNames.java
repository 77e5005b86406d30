package io.sealbook.tidy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** No two source files of {@code src/main} have one name: a class name alone identifies a class of the product. */
final class ClassNames {
    static final String RULE = "class-name";
    static final String REMEDY = "give the class a name that says what distinguishes it, or make both one class";

    private ClassNames() {}

    /**
     * Returns an offence for each source file whose name another one has.
     *
     * @param files all files of the checkout
     */
    static List<Offence> offences(List<TextFile> files) {
        Map<String, List<String>> pathsByName = files.stream()
                .filter(file -> file.path().contains("/src/main/java/")
                        && file.endsWith(".java")
                        && !file.endsWith("-info.java"))
                .collect(Collectors.groupingBy(
                        TextFile::name, TreeMap::new, Collectors.mapping(TextFile::path, Collectors.toList())));
        List<Offence> offences = new ArrayList<>();
        for (List<String> paths : pathsByName.values()) {
            if (paths.size() == 1) {
                continue;
            }
            for (String path : paths) {
                List<String> others =
                        paths.stream().filter(other -> !other.equals(path)).toList();
                offences.add(new Offence(RULE, path, 0, "has the name of " + String.join(", ", others)));
            }
        }
        return offences;
    }
}
