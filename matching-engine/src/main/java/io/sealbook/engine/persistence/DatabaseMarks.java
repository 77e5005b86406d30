package io.sealbook.engine.persistence;

import io.sealbook.lock.WholeFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Files of an engine's directory that show which database holds its outputs. A database outlives the directory if it is
 * on a server: what it holds then is of an execution of which nothing else is left. One thread.
 *
 * @param stale a file that exists while the database holds what a wrong engine put out
 * @param own a file with a mark, which the database filled from this directory has, too
 */
public record DatabaseMarks(Path stale, Path own) {
    boolean isStale() {
        return Files.exists(stale);
    }

    void removeStale() {
        try {
            Files.deleteIfExists(stale);
        } catch (IOException e) {
            throw new UncheckedIOException("database: cannot delete " + stale, e);
        }
    }

    /** Returns the mark of this directory; empty if no database was filled from it. */
    Optional<String> read() {
        try {
            return Optional.of(Files.readString(own).strip());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("database: cannot read " + own, e);
        }
    }

    /**
     * Gives this directory a new mark. It is on disk before the database can have it: a database whose mark was lost
     * with the power would be filled anew.
     */
    String make() {
        String made = UUID.randomUUID().toString();
        try {
            Files.createDirectories(own.getParent());
            WholeFile.replace(own, (made + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("database: cannot write " + own, e);
        }
        return made;
    }
}
