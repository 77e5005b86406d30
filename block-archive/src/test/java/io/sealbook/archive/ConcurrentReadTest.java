package io.sealbook.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ConcurrentReadTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(300)
    void shouldServeReadersBesideTheAppender() throws Exception {
        List<byte[]> chain = Chains.chain(1, 2_000, 2, 200);
        // More segments than files held open for reading, so that channels are closed under their readers.
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(16));
                ExecutorService executor = Executors.newFixedThreadPool(4)) {
            List<Future<Long>> readers = new ArrayList<>();
            for (int r = 0; r < 3; r++) {
                Random random = new Random(r);
                readers.add(executor.submit(() -> readUntilComplete(archive, chain, random)));
            }
            Future<?> times = executor.submit(() -> {
                for (long sequence = 1; sequence <= chain.size(); ) {
                    if (sequence <= archive.lastSequence()) {
                        archive.putExecutionTime(sequence, sequence);
                        sequence++;
                    }
                }
            });

            chain.forEach(archive::append);

            for (Future<Long> reader : readers) {
                assertThat(reader.get()).isPositive();
            }
            times.get();
            for (long sequence = 1; sequence <= chain.size(); sequence++) {
                assertThat(archive.facts(sequence).orElseThrow().executionTimeNs())
                        .hasValue(sequence);
            }
        }
    }

    private static long readUntilComplete(BlockArchive archive, List<byte[]> chain, Random random) {
        long reads = 0;
        for (long last = 0; last < chain.size(); ) {
            last = archive.lastSequence();
            if (last > 0) {
                int sequence = 1 + random.nextInt((int) last);
                assertThat(archive.read(sequence).orElseThrow()).isEqualTo(chain.get(sequence - 1));
                assertThat(archive.read(last).orElseThrow()).isEqualTo(chain.get((int) last - 1));
                reads++;
            }
        }
        return reads;
    }

    @Test
    void shouldServeOthersAfterReaderWasInterrupted() {
        List<byte[]> chain = Chains.chain(2, 6);
        try (BlockArchive archive = BlockArchive.open(directory, Chains.config(4))) {
            chain.forEach(archive::append);

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(ArchiveException.class)
                    .isThrownBy(() -> archive.read(2))
                    .withMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();

            BlockArchiveTest.assertHolds(archive, chain);
        }
    }
}
