package io.sealbook.chaos.liar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * The file in a liar's directory that names its present lie, the one in which it says that it has told it, and one that
 * stays as soon as it has told any. Written by the run and by the liar; each is replaced as a whole.
 *
 * @param directory of the node
 */
public record LieFile(Path directory) {
    private static final String LIE = "lie";
    private static final String TOLD = "lie-told";
    private static final String HAS_LIED = "has-lied";

    /** Lets the node lie from now on, within some ten milliseconds. */
    public void begin(Lie lie) throws IOException {
        Files.deleteIfExists(directory.resolve(TOLD));
        Path unfinished = directory.resolve(LIE + ".new");
        Files.writeString(unfinished, lie.name());
        Files.move(unfinished, directory.resolve(LIE), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Lets the node speak the truth. */
    public void end() throws IOException {
        Files.deleteIfExists(directory.resolve(LIE));
    }

    /** Returns whether the lie that was begun last has been told. */
    public boolean isTold() {
        return Files.exists(directory.resolve(TOLD));
    }

    /** Returns whether the node has told any lie since its directory was made. */
    public boolean hasLied() {
        return Files.exists(directory.resolve(HAS_LIED));
    }

    Optional<Lie> present() throws IOException {
        try {
            return Optional.of(Lie.valueOf(Files.readString(directory.resolve(LIE))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    void told() throws IOException {
        Files.writeString(directory.resolve(HAS_LIED), "");
        Files.writeString(directory.resolve(TOLD), "");
    }
}
