package io.sealbook.tidy;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * The arrows of {@code docs/ARCHITECTURE.md} are what poms say: {@code module ──▶ a, b} names all modules that its
 * source code may use. A list goes on in the next line after a comma, and ends at two spaces. Modules below all others
 * have no arrows to them.
 */
final class ModuleArrows {
    static final String RULE = "arrow";
    static final String REMEDY = "let the picture of docs/ARCHITECTURE.md and the module's pom name the same modules";

    private static final String PICTURE = "docs/ARCHITECTURE.md";
    private static final Set<String> BELOW_ALL = Set.of("vocabulary", "file-lock", "command-line");
    private static final Pattern POM = Pattern.compile("([\\w-]+)/pom\\.xml");
    private static final Pattern ARROW = Pattern.compile("([\\w-]+) ─*▶ (.*)");
    private static final Pattern END_OF_LIST = Pattern.compile(" {2}| \\(");

    private ModuleArrows() {}

    /**
     * Returns an offence for each module whose arrow says something else than its pom.
     *
     * @param files all files of the checkout
     */
    static List<Offence> offences(List<TextFile> files) {
        Map<String, TextFile> poms = files.stream()
                .filter(file -> POM.matcher(file.path()).matches())
                .collect(Collectors.toMap(TextFile::module, Function.identity(), (a, b) -> a, TreeMap::new));
        Map<String, Set<String>> arrows = files.stream()
                .filter(file -> file.path().equals(PICTURE))
                .findFirst()
                .map(picture -> arrows(picture.lines(), poms.keySet()))
                .orElse(Map.of());
        List<Offence> offences = new ArrayList<>();
        poms.forEach((module, pom) -> {
            Set<String> needed = dependencies(pom);
            Set<String> drawn = arrows.getOrDefault(module, Set.of());
            if (!drawn.equals(needed)) {
                offences.add(new Offence(RULE, PICTURE, 0, module + " ▶ " + drawn + ", its pom says " + needed));
            }
        });
        return offences;
    }

    private static Map<String, Set<String>> arrows(List<String> lines, Set<String> modules) {
        Map<String, Set<String>> arrows = new TreeMap<>();
        Set<String> open = null;
        for (String line : lines) {
            Matcher arrow = ARROW.matcher(line);
            String rest = line.strip();
            if (arrow.find() && modules.contains(arrow.group(1))) {
                open = arrows.computeIfAbsent(arrow.group(1), module -> new TreeSet<>());
                rest = arrow.group(2);
            }
            if (open != null) {
                String list = END_OF_LIST.split(rest, 2)[0];
                for (String name : list.split(",")) {
                    if (modules.contains(name.strip())) {
                        open.add(name.strip());
                    }
                }
                open = list.endsWith(",") ? open : null;
            }
        }
        return arrows;
    }

    private static Set<String> dependencies(TextFile pom) {
        Element project = parse(pom);
        Set<String> names = new TreeSet<>();
        for (Element dependencies : children(project, "dependencies")) {
            for (Element dependency : children(dependencies, "dependency")) {
                boolean isOurs = text(dependency, "groupId")
                        .filter("io.sealbook"::equals)
                        .isPresent();
                boolean isOfClasses = text(dependency, "scope").isEmpty()
                        && text(dependency, "type").isEmpty();
                if (isOurs && isOfClasses) {
                    text(dependency, "artifactId").ifPresent(names::add);
                }
            }
        }
        names.removeAll(BELOW_ALL);
        return names;
    }

    private static Element parse(TextFile pom) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            return factory.newDocumentBuilder()
                    .parse(new InputSource(new StringReader(String.join("\n", pom.lines()))))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException | IOException e) {
            throw new IllegalArgumentException(pom.path() + " is not XML: " + e.getMessage(), e);
        }
    }

    private static Optional<String> text(Element parent, String name) {
        return children(parent, name).stream()
                .map(child -> child.getTextContent().strip())
                .findFirst();
    }

    private static List<Element> children(Element parent, String name) {
        List<Element> found = new ArrayList<>();
        NodeList nodes = parent.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
