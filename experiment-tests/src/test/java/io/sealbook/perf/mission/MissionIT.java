package io.sealbook.perf.mission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/MISSION.md names exists: rows, commands of the built jars, and tests. */
class MissionIT {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-E]\\d+) \\| .* \\| (works|partial|missing) \\|.*$");
    private static final Pattern COMMAND = Pattern.compile("`([a-z-]+)\\.jar ([a-z-]+)`");
    private static final Pattern TEST = Pattern.compile("`([A-Z]\\w+(?:Test|IT|Contract))`");

    private final Path home = Home.find();
    private final List<String> rows;

    MissionIT() throws IOException {
        rows = Files.readAllLines(home.resolve("docs/MISSION.md")).stream()
                .filter(line -> line.matches("^\\| [A-E]\\d.*"))
                .toList();
    }

    @Test
    void shouldHaveEveryRowOfTheSourcesWithAState() {
        List<String> expected = Stream.of("A12", "B8", "C4", "D5", "E13")
                .flatMap(last -> IntStream.rangeClosed(1, Integer.parseInt(last.substring(1)))
                        .mapToObj(row -> last.charAt(0) + String.valueOf(row)))
                .toList();

        assertThat(rows).allMatch(row -> ROW.matcher(row).matches());
        assertThat(rows.stream().map(row -> all(ROW, row).getFirst().group(1))).containsExactlyElementsOf(expected);
    }

    @Test
    void shouldShowWhatWorksByACommandAndATest() {
        assertThat(rows.stream().filter(row -> all(ROW, row).getFirst().group(2).equals("works")))
                .isNotEmpty()
                .allMatch(row -> COMMAND.matcher(row).find())
                .allMatch(row -> TEST.matcher(row).find());
    }

    @Test
    void shouldNameTestsOfThisTree() throws IOException {
        Set<String> files = new TreeSet<>();
        try (Stream<Path> modules = Files.list(home)) {
            for (Path tests : modules.map(module -> module.resolve("src/test"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> tree = Files.walk(tests)) {
                    tree.forEach(file -> files.add(file.getFileName().toString()));
                }
            }
        }

        assertThat(rows.stream().flatMap(row -> all(TEST, row).stream()).map(test -> test.group(1) + ".java"))
                .isNotEmpty()
                .allMatch(files::contains);
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldNameCommandsThatExplainThemselves() throws IOException, InterruptedException {
        Set<List<String>> commands = new TreeSet<>((a, b) -> a.toString().compareTo(b.toString()));
        rows.forEach(row -> all(COMMAND, row).forEach(found -> commands.add(List.of(found.group(1), found.group(2)))));

        assertThat(commands).isNotEmpty();
        for (List<String> command : commands) {
            Path jar = home.resolve(command.getFirst()).resolve("target").resolve(command.getFirst() + ".jar");
            assertThat(help(jar, command.getLast()))
                    .as("%s %s --help", jar, command.getLast())
                    .isZero();
        }
    }

    private static int help(Path jar, String command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar"));
        line.addAll(List.of(jar.toString(), command, "--help"));
        return new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
