package io.sealbook.archive.tool;

import io.sealbook.archive.proof.CertifiedChain;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** An archive of ten certified blocks in three segments, with commands run on it. */
abstract class ArchiveCommandTest {
    static final CertifiedChain CHAIN = new CertifiedChain(1);

    @TempDir
    static Path pristine;

    @TempDir
    Path directory;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();
    String archive;
    String genesis;

    @BeforeAll
    static void writePristine() {
        CHAIN.writeTo(pristine);
    }

    @BeforeEach
    void copyArchive() throws IOException {
        archive = directory.resolve("archive").toString();
        genesis = directory.resolve("genesis.json").toString();
        Files.createDirectory(Path.of(archive));
        try (var files = Files.list(pristine)) {
            for (Path file : files.toList()) {
                Files.copy(file, Path.of(archive).resolve(file.getFileName()));
            }
        }
        Files.write(Path.of(genesis), CHAIN.genesisJson());
    }

    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return ArchiveTool.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    }

    List<String> lines() {
        return out.toString().lines().toList();
    }

    Path segment(long first) {
        return Path.of(archive, String.format("segment-%019d.blocks", first));
    }

    static void flip(Path file, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }
}
