package io.sealbook.spring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.setup.EngineSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

/** The metadata of properties, which development environments show, against the settings that the engine reads. */
class EngineMetadataTest {
    /** Read by conditions, not by the engine. */
    private static final String GRPC = EngineSettings.PREFIX + "grpc.enabled";

    private static final String DATABASE = EngineSettings.PREFIX + "database.enabled";

    /** A name in the first cell of a row. */
    private static final Pattern SETTING = Pattern.compile("`([a-z.-]+)`");

    @Test
    void shouldDescribeEachSettingThatTheEngineReads() throws Exception {
        Set<String> read = new TreeSet<>();
        EngineSettings.of(key -> {
            read.add(key);
            return null;
        });
        read.add(GRPC);

        assertThat(handWritten().keySet()).isEqualTo(read);
    }

    @Test
    void shouldNameTheDefaultsOfTheEngine() throws Exception {
        Map<String, Map<String, Object>> described = handWritten();

        EngineSettings byMetadata =
                EngineSettings.of(key -> text(described.get(key).get("defaultValue")));

        assertThat(byMetadata).isEqualTo(EngineSettings.of(key -> key.equals(DATABASE) ? "false" : null));
    }

    /**
     * A default is compared where a row has one setting. The README is that of the executable engine, which has a
     * database.
     */
    @Test
    void shouldBeTheTableOfSettingsInTheReadme() throws Exception {
        Map<String, String> table = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../matching-engine/README.md"))) {
            String[] cells = line.split(" \\| ");
            if (!line.startsWith("| `") || cells.length < 3) {
                continue;
            }
            List<String> names = SETTING.matcher(cells[0])
                    .results()
                    .map(name -> EngineSettings.PREFIX + name.group(1))
                    .toList();
            names.forEach(name -> table.put(name, names.size() == 1 ? cells[1] : ""));
        }

        Map<String, Map<String, Object>> described = handWritten();
        described.remove(GRPC);
        assertThat(table.remove(DATABASE)).isEqualTo("true");
        described.remove(DATABASE);

        assertThat(table.keySet()).containsAll(described.keySet());
        described.forEach(
                (name, setting) -> assertThat(table.get(name)).as(name).isIn("", text(setting.get("defaultValue"))));
    }

    @Test
    void shouldComeWithTheJar() throws Exception {
        assertThat(properties("META-INF/spring-configuration-metadata.json").keySet())
                .containsAll(handWritten().keySet())
                .contains("sealbook.engine.enabled", "sealbook.engine.directory", "sealbook.engine.exit-on-failure");
    }

    /** The parser makes every number a double; null stays null. */
    private static String text(Object value) {
        return value instanceof Double number && number % 1 == 0
                ? Long.toString(number.longValue())
                : Objects.toString(value, null);
    }

    private static Map<String, Map<String, Object>> handWritten() throws Exception {
        return properties("META-INF/additional-spring-configuration-metadata.json");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> properties(String file) throws Exception {
        String json = new ClassPathResource(file).getContentAsString(StandardCharsets.UTF_8);
        Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(json);
        return ((List<Map<String, Object>>) metadata.get("properties"))
                .stream()
                        .collect(Collectors.toMap(
                                each -> (String) each.get("name"), each -> each, (a, b) -> a, TreeMap::new));
    }
}
