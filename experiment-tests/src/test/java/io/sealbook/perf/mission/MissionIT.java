package io.sealbook.perf.mission;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What docs/MISSION.md names exists: rows, commands of the built jars, and tests. */
class MissionIT {
    private static final Pattern ROW = Pattern.compile("^\\| ([A-E]\\d+) \\| .* \\| (works|partial|missing) \\|.*$");
    private static final Pattern COMMAND = Pattern.compile("`([a-z-]+)\\.jar ([a-z-]+)`");
    private static final Pattern HELP_OF_COMMAND = Pattern.compile("^  ([a-z-]+)  +\\S.*$");
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
    void shouldNameCommandsOfTheBuiltJars() throws IOException, InterruptedException {
        Map<String, Set<String>> commands = new TreeMap<>();
        rows.forEach(row -> all(COMMAND, row)
                .forEach(found -> commands.computeIfAbsent(found.group(1), jar -> new TreeSet<>())
                        .add(found.group(2))));

        assertThat(commands).isNotEmpty();
        for (Map.Entry<String, Set<String>> named : commands.entrySet()) {
            Path jar = home.resolve(named.getKey()).resolve("target").resolve(named.getKey() + ".jar");
            assertThat(commandsInHelp(jar)).as("commands of %s", jar).containsAll(named.getValue());
        }
    }

    /** Returns the commands that a program explains in its help. */
    private static List<String> commandsInHelp(Path jar) throws IOException, InterruptedException {
        Process program = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        jar.toString(),
                        "--help")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        List<String> help = program.inputReader().lines().toList();
        assertThat(program.waitFor()).as("exit code of %s --help", jar).isZero();
        return help.stream()
                .dropWhile(line -> !line.equals("Commands:"))
                .map(HELP_OF_COMMAND::matcher)
                .filter(Matcher::matches)
                .map(explained -> explained.group(1))
                .toList();
    }

    private static List<MatchResult> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
