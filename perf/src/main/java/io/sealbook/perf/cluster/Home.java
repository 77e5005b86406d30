package io.sealbook.perf.cluster;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the source tree whose built jars are to be run. */
public final class Home {
    private Home() {}

    /**
     * Returns the root of the tree that this program was built in.
     *
     * @throws IllegalStateException if the program is outside of one
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
        for (Path path = location.toAbsolutePath(); path != null; path = path.getParent()) {
            if (Files.exists(path.resolve("mvnw")) && Files.isDirectory(path.resolve("consensus-node"))) {
                return path;
            }
        }
        throw new IllegalStateException(location + " is in no Sealbook source tree; name one with --home");
    }
}
