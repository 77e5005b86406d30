package io.sealbook.docker;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/**
 * What a Dockerfile says, as far as the tests ask.
 *
 * @param copied path in the image to path in the build context
 */
record Dockerfile(String base, Map<String, String> copied, List<String> entrypoint, String user) {
    static Dockerfile read(Path file) {
        Map<String, String> copied = new LinkedHashMap<>();
        String base = null;
        List<String> entrypoint = List.of();
        String user = "root";
        for (String line : Repository.text(file).replace("\\\n", " ").lines().toList()) {
            List<String> words = Arrays.asList(line.trim().split("\\s+"));
            switch (words.getFirst()) {
                case "FROM" -> base = words.get(1);
                case "COPY" -> copied.put(words.get(2), words.get(1));
                case "USER" -> user = words.get(1);
                case "ENTRYPOINT" -> entrypoint = new Yaml().load(line.substring("ENTRYPOINT".length()));
                default -> {}
            }
        }
        return new Dockerfile(base, copied, entrypoint, user);
    }
}
