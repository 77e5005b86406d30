package io.sealbook.replica;

import io.sealbook.engine.setup.EngineKeys;
import io.sealbook.engine.setup.EngineSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads engine.properties, which the two processes of a separate engine and a replica share. Keys of the database, the
 * queries and the console mean nothing here: a replica has none of them.
 */
final class EngineFile {
    private EngineFile() {}

    /**
     * Returns the settings of a replica's engine.
     *
     * @param file need not exist
     * @param first values that count before those of the file, by key
     * @throws IllegalArgumentException if a value is wrong, or no engine has a key; the message names the key
     */
    static EngineSettings read(Path file, Map<String, String> first) throws IOException {
        Properties values = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                values.load(reader);
            }
        }
        // Other prefixes are of the Spring engine that shares the file.
        Set<String> keys = values.stringPropertyNames().stream()
                .filter(key -> key.startsWith(EngineSettings.PREFIX))
                .collect(Collectors.toSet());
        keys.addAll(first.keySet());
        EngineKeys.refuseUnknown(keys);
        values.putAll(first);
        values.setProperty(EngineSettings.PREFIX + "database.enabled", "false");
        return EngineSettings.of(values::getProperty);
    }
}
