package io.sealbook.fuzz;

import io.sealbook.archive.storage.FileStorage;
import io.sealbook.archive.storage.Storage;
import io.sealbook.simulator.disk.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** Directories in memory, so that decoders of files run without a disk. */
final class MemoryFiles {
    private static final String DIRECTORY = "files";

    private final SimulatedDisk disk = new SimulatedDisk(new SplittableRandom(1), () -> {});

    /** Returns a directory with one file. */
    static MemoryFiles with(String name, byte[] content) {
        return new MemoryFiles().put(name, content);
    }

    /** Adds or replaces a file. */
    MemoryFiles put(String name, byte[] content) {
        try {
            Files.createDirectories(directory());
            Files.write(directory().resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    byte[] get(String name) {
        try {
            return Files.readAllBytes(directory().resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory() {
        return disk.directory(DIRECTORY);
    }

    Path file(String name) {
        return directory().resolve(name);
    }

    /** Opens the directory as the parts of a node do; at most one is open. */
    Storage storage() {
        return FileStorage.open(directory());
    }
}
