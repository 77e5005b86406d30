package io.sealbook.keytool;

import io.sealbook.crypto.PassphraseSettings;
import io.sealbook.lock.WholeFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The settings of a directory, {@code broker.properties} or {@code node.properties}.
 *
 * @param file they were read from
 * @param lines of the file
 * @param values by their keys
 */
record SettingsFile(Path file, List<String> lines, Map<String, String> values) {

    static SettingsFile read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        return new SettingsFile(file, lines, values(lines));
    }

    private static Map<String, String> values(List<String> lines) throws IOException {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(String.join("\n", lines)));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
        Map<String, String> values = new HashMap<>();
        properties.forEach((key, value) -> values.put((String) key, (String) value));
        return values;
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /**
     * Returns a number of 32 bits without a sign.
     *
     * @throws IOException if it is missing or no such number
     */
    int unsigned(String key) throws IOException {
        String text = value(key).orElseThrow(() -> new IOException(file + ": " + key + " is missing"));
        try {
            return Integer.parseUnsignedInt(text.strip());
        } catch (NumberFormatException e) {
            throw new IOException(file + ": " + key + " is no number: " + text, e);
        }
    }

    /**
     * Returns where the passphrase of the signing key is.
     *
     * @throws IOException if two places are named
     */
    PassphraseSettings passphrase() throws IOException {
        try {
            return PassphraseSettings.of(values::get);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes the file again with other values, by a rename. All other lines stay as they are.
     *
     * @param changed values by their keys; null takes a key away
     * @throws IOException if it could not be written: the file has the old values or the new ones then; or if its form
     *     hides a key from this method: it has the old ones
     */
    void replace(Map<String, String> changed) throws IOException {
        Map<String, String> expected = new HashMap<>(values);
        Map<String, String> added = new HashMap<>();
        changed.forEach((key, value) -> {
            expected.remove(key);
            if (value != null) {
                expected.put(key, value);
                added.put(key, key + "=" + value.replace("\\", "\\\\"));
            }
        });
        List<String> written = new ArrayList<>();
        for (String line : lines) {
            Optional<String> key = values(List.of(line)).keySet().stream()
                    .filter(changed::containsKey)
                    .findFirst();
            if (key.isEmpty()) {
                written.add(line);
            } else if (added.containsKey(key.get())) {
                written.add(added.remove(key.get()));
            }
        }
        added.keySet().stream().sorted().forEach(key -> written.add(added.get(key)));
        if (!values(written).equals(expected)) {
            throw new IOException(file + ": a setting is written over several lines: change it by hand to " + changed);
        }
        write(written);
    }

    private void write(List<String> written) throws IOException {
        Path target = file.toRealPath();
        Path fresh = WholeFile.unfinished(target);
        // With the mode of the present file.
        Files.copy(target, fresh, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        WholeFile.replace(target, fresh, (String.join("\n", written) + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
