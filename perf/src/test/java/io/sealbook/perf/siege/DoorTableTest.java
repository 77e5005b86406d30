package io.sealbook.perf.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.perf.cluster.Home;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table in OPERATING.md has every door that the sources have. */
class DoorTableTest {
    private static final Pattern MAPPING = Pattern.compile("\"(/api/[^\"]+)\"");

    @Test
    void shouldNameEachMethodOfEachService() throws Exception {
        DoorTable table = DoorTable.read(Home.find());

        for (String port : List.of("gateway", "engine", "elsewhere")) {
            assertThat(table.of(port))
                    .extracting(Door::name)
                    .containsExactlyInAnyOrderElementsOf(DoorAttacks.methods(port));
        }
    }

    @Test
    void shouldNameEachPathOfTheControllers() throws Exception {
        List<String> named =
                DoorTable.read(Home.find()).of("http").stream().map(Door::name).toList();

        assertThat(named).containsAll(mappings());
    }

    private static List<String> mappings() throws IOException {
        Path sources = Home.find().resolve("matching-engine/src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            List<String> mappings = files.filter(file -> file.toString().endsWith("Controller.java"))
                    .flatMap(DoorTableTest::mappings)
                    .toList();
            assertThat(mappings).contains("/api/status", "/api/accounts/{accountId}");
            return mappings;
        }
    }

    private static Stream<String> mappings(Path controller) {
        try {
            Matcher mapping = MAPPING.matcher(Files.readString(controller));
            return mapping.results().map(found -> found.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
