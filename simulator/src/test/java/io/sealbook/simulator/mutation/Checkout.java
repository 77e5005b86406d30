package io.sealbook.simulator.mutation;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that the tests run in. */
final class Checkout {
    private Checkout() {}

    static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve(MutantCatalogue.DIRECTORY))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
