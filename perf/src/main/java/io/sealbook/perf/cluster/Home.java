package io.sealbook.perf.cluster;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Finds the source tree whose built jars are to be run. */
public final class Home {
    private Home() {}

    /**
     * Returns the root of the tree that this program was built in or, if it is installed elsewhere, of the tree around
     * the working directory.
     *
     * @throws IllegalStateException if there is none
     */
    public static Path find() {
        Path location;
        try {
            location = Path.of(Home.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this program's own location is no path", e);
        }
        return above(location)
                .or(() -> above(Path.of("")))
                .orElseThrow(() ->
                        new IllegalStateException(location + " is in no Sealbook source tree; name one with --home"));
    }

    private static Optional<Path> above(Path place) {
        for (Path path = place.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path.resolve("mvnw")) && Files.isDirectory(path.resolve("consensus-node"))) {
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }
}
