package io.sealbook.spring.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.setup.EngineSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ClassPathResource;

/** The metadata of properties, which development environments show, against the settings that the engine reads. */
class EngineMetadataTest {
    /** Read by conditions, not by the engine. */
    private static final String GRPC = EngineSettings.PREFIX + "grpc.enabled";

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

        String database = EngineSettings.PREFIX + "database.enabled";
        assertThat(byMetadata).isEqualTo(EngineSettings.of(key -> key.equals(database) ? "false" : null));
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
