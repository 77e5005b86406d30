package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.vocabulary.Digest;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process appends and is killed in the middle of it; what it had said is there. */
class KilledProcessTest {
    private static final int BLOCKS = 100_000;
    private static final int BLOCKS_PER_SEGMENT = 64;

    @TempDir
    Path directory;

    /** Appends blocks of a seed for ever and says the number of each that was appended. */
    static final class Appender {
        public static void main(String[] arguments) {
            Random random = new Random(Long.parseLong(arguments[1]));
            try (BlockArchive archive = BlockArchive.open(Path.of(arguments[0]), Chains.config(BLOCKS_PER_SEGMENT))) {
                for (int sequence = 1; sequence <= BLOCKS; sequence++) {
                    archive.append(Chains.block(random, sequence, archive.lastHash(), 3, 60_000));
                    System.out.println(sequence);
                }
            }
        }
    }

    @Test
    @Timeout(300)
    void shouldHaveEveryBlockThatWasSaidToBeAppended() throws Exception {
        for (int seed = 1; seed <= 3; seed++) {
            Path archiveDirectory = directory.resolve("seed-" + seed);
            int said = appendUntilKilled(archiveDirectory, seed);
            Random random = new Random(seed);

            try (BlockArchive archive = BlockArchive.open(archiveDirectory, Chains.config(BLOCKS_PER_SEGMENT))) {
                assertThat(archive.lastSequence()).isGreaterThanOrEqualTo(said);
                Digest previousHash = Chains.GENESIS_DIGEST;
                for (long sequence = 1; sequence <= archive.lastSequence(); sequence++) {
                    byte[] expected = Chains.block(random, sequence, previousHash, 3, 60_000);
                    assertThat(archive.read(sequence).orElseThrow()).isEqualTo(expected);
                    previousHash = Block.wrap(expected).hash();
                }
                archive.append(Chains.block(random, archive.lastSequence() + 1, previousHash, 3, 60_000));
            }
        }
    }

    private static int appendUntilKilled(Path directory, int seed) throws Exception {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Appender.class.getName(),
                        directory.toString(),
                        Integer.toString(seed)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int said = 0;
        try (BufferedReader lines = process.inputReader()) {
            while (said < BLOCKS_PER_SEGMENT + 20 * seed) {
                said = Integer.parseInt(lines.readLine());
            }
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return said;
    }
}
