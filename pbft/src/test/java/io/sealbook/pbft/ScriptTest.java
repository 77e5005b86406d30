package io.sealbook.pbft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every file below {@code scripts} is a test: what one replica does, input by input. */
class ScriptTest {
    private static List<Path> scripts() throws IOException, URISyntaxException {
        Path folder = Path.of(Objects.requireNonNull(ScriptTest.class.getResource("/scripts"), "no folder scripts")
                .toURI());
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerEachInputAsTheScriptSays() throws IOException, URISyntaxException {
        return scripts().stream()
                .map(file -> dynamicTest(
                        file.getParent().getFileName() + "/" + file.getFileName(),
                        () -> Script.run(file.getFileName().toString(), Files.readAllLines(file))));
    }

    @Test
    void shouldSayInEachScriptWhichRuleItShows() throws IOException, URISyntaxException {
        assertThat(scripts()).hasSizeGreaterThan(10);
        for (Path file : scripts()) {
            String comment = String.join(
                    " ",
                    Files.readAllLines(file).stream()
                            .takeWhile(line -> line.startsWith("#"))
                            .toList());
            assertThat(comment)
                    .as(file.getFileName().toString())
                    .containsPattern("(?i)(TOCS 2002, sections? \\d|OSDI 1999, section \\d|pitfalls? \\d|rules? \\d)");
        }
    }
}
