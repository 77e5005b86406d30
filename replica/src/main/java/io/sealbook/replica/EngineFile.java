package io.sealbook.replica;

import io.sealbook.engine.setup.EngineSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;

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
     * @throws IllegalArgumentException if a value is wrong; the message names its key
     */
    static EngineSettings read(Path file, Map<String, String> first) throws IOException {
        Properties values = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                values.load(reader);
            }
        }
        values.putAll(first);
        values.setProperty(EngineSettings.PREFIX + "database.enabled", "false");
        return EngineSettings.of(values::getProperty);
    }
}
