package io.sealbook.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of the repository that the tests run in. */
final class Repository {
    static final Path ROOT = root();
    static final Path DOCKER = ROOT.resolve("docker");

    private Repository() {}

    private static Path root() {
        Path here = Path.of("").toAbsolutePath();
        return Files.exists(here.resolve("compose.yaml")) ? here.getParent() : here;
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    static Map<String, Object> yaml(Path file) {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(text(file));
    }
}
