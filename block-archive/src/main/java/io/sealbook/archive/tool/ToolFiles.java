package io.sealbook.archive.tool;

import io.sealbook.commandline.FailureText;
import io.sealbook.protocol.GenesisFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The files that are named on the command line. */
final class ToolFiles {
    private ToolFiles() {}

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(file + ": there is no such file", e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + FailureText.of(e), e);
        }
    }

    /** Writes a file that is not there yet. */
    static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + FailureText.of(e), e);
        }
    }

    static GenesisFile genesis(Path file) {
        return GenesisFile.parse(read(file));
    }
}
