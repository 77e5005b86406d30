package io.sealbook.consensus;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.BlockFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** What a broken disk does to an archive. */
final class ArchiveDamage {
    private ArchiveDamage() {}

    /**
     * Flips a bit inside a block of the newest segment.
     *
     * @param archive directory, in use by no process
     * @param sequence of the block
     * @return the file that was changed
     */
    static Path flipBit(Path archive, long sequence) throws IOException {
        BlockFacts facts;
        try (ArchiveReader reader = ArchiveReader.open(archive)) {
            facts = reader.facts(sequence).orElseThrow();
        }
        Path file;
        try (Stream<Path> files = Files.list(archive)) {
            file = files.filter(found -> found.toString().endsWith(".blocks"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) facts.offset() + facts.length() / 2] ^= 1;
        Files.write(file, bytes);
        return file;
    }
}
