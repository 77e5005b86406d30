package io.sealbook.engine.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.engine.setup.EngineKeys;
import io.sealbook.engine.setup.EngineSettings;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

class EnginePropertiesTest {
    /** The metadata of the starter, which a test compares with what its engine reads, and the records here. */
    @Test
    void shouldBeTheKeysThatAnEngineDoesNotRefuse() throws Exception {
        Set<String> read = new TreeSet<>();
        Resource[] metadata = new PathMatchingResourcePatternResolver()
                .getResources("classpath*:META-INF/spring-configuration-metadata.json");
        for (Resource each : metadata) {
            String json = each.getContentAsString(StandardCharsets.UTF_8);
            ((List<?>) JsonParserFactory.getJsonParser().parseMap(json).get("properties"))
                    .stream()
                            .map(property -> (String) ((Map<?, ?>) property).get("name"))
                            .filter(name -> name.startsWith(EngineSettings.PREFIX))
                            .forEach(read::add);
        }
        add(EngineSettings.PREFIX, EngineProperties.class, read);

        assertThat(EngineKeys.known()).isEqualTo(read);
    }

    private static void add(String prefix, Class<?> properties, Set<String> keys) {
        for (RecordComponent component : properties.getRecordComponents()) {
            String key = prefix + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                add(key + ".", component.getType(), keys);
            } else {
                keys.add(key);
            }
        }
    }
}
