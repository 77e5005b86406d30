package io.sealbook.engine.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.output.OutputMessages;
import io.sealbook.protocol.sbe.ExecutionReportDecoder;
import io.sealbook.protocol.sbe.TradeDecoder;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The journal that an engine wrote for thirty blocks, in several files: whole, torn anywhere, with a damaged byte
 * anywhere.
 */
class ExecutionJournalTest {
    private static final int BLOCKS = 30;
    private static final long SEGMENT_BYTES = 8_000;

    @TempDir
    static Path written;

    private static Path original;
    private static List<List<String>> expected;

    @TempDir
    Path temp;

    private Path directory;

    @BeforeAll
    static void writeJournal() throws Exception {
        TestNode node = new TestNode(written, TestMarket.write(written, 1).digest());
        node.commitFlow(new TestFlow(11), BLOCKS, 2, 4);
        Map<String, String> settings = Map.of(
                "sealbook.engine.directory", written.toString(),
                "sealbook.engine.journal.segment-bytes", Long.toString(SEGMENT_BYTES));
        try (TestEngine engine = new TestEngine(written, settings)) {
            engine.await(BLOCKS);
        }
        original = written.resolve("engine/journal");
        expected = blocksAfter(original, 0);
    }

    @BeforeEach
    void copyJournal() throws IOException {
        directory = temp.resolve("journal");
        Files.createDirectories(directory);
        for (Path file : files(original)) {
            Files.copy(file, directory.resolve(file.getFileName()));
        }
    }

    @Test
    void shouldReadOnFromAnyBlock() {
        assertThat(files(directory)).hasSizeGreaterThan(3);
        assertThat(expected).hasSize(BLOCKS);
        for (int position = 0; position <= BLOCKS; position++) {
            assertThat(blocksAfter(directory, position)).isEqualTo(expected.subList(position, BLOCKS));
        }
    }

    @Test
    void shouldCutWhatIsTornWhereverItIs() throws IOException {
        Path last = last();
        byte[] whole = Files.readAllBytes(last);
        long before = firstBlock(last) - 1;
        for (int length = whole.length - 1; length >= 0; length -= 1 + length / 40) {
            copyJournal(last, Arrays.copyOf(whole, length));

            try (ExecutionJournal journal = open()) {
                assertThat(journal.lastBlock()).isBetween(before, (long) BLOCKS - 1);
                assertThat(read(journal, 0)).isEqualTo(expected.subList(0, (int) journal.lastBlock()));
            }
            // What was cut is gone for good.
            try (ExecutionJournal again = open()) {
                assertThat(read(again, 0)).isEqualTo(expected.subList(0, (int) again.lastBlock()));
            }
        }
    }

    @Test
    void shouldEndBeforeADamagedByteOfTheNewestFile() throws IOException {
        Path last = last();
        byte[] whole = Files.readAllBytes(last);
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            byte[] damaged = whole.clone();
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            copyJournal(last, damaged);

            try (ExecutionJournal journal = open()) {
                assertThat(journal.lastBlock()).isLessThan(BLOCKS);
                assertThat(read(journal, 0)).isEqualTo(expected.subList(0, (int) journal.lastBlock()));
            }
        }
    }

    @Test
    void shouldTellNobodyOfADamagedByteOfAnOlderFile() throws IOException {
        Path older = files(directory).get(1);
        byte[] whole = Files.readAllBytes(older);
        int start = (int) firstBlock(older) - 1;
        Random random = new Random(4);
        for (int i = 0; i < 60; i++) {
            byte[] damaged = whole.clone();
            int at = random.nextInt(damaged.length);
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(older, damaged);

            try (ExecutionJournal journal = open()) {
                List<List<String>> read = new ArrayList<>();
                assertThatThrownBy(() -> read(journal, start, read))
                        .as("byte %d", at)
                        .isInstanceOfAny(UncheckedIOException.class, JournalGapException.class);
                assertThat(read).isEqualTo(expected.subList(start, start + read.size()));
            }
        }
    }

    @Test
    void shouldForgetEverythingBehindAnyBlock() {
        for (int block = BLOCKS; block >= 0; block--) {
            try (ExecutionJournal journal = open()) {
                journal.truncateAfter(block);

                assertThat(journal.lastBlock()).isEqualTo(block);
                assertThat(read(journal, 0)).isEqualTo(expected.subList(0, block));
            }
        }
        assertThat(files(directory)).isEmpty();
    }

    @Test
    void shouldPruneWholeFilesAndNameTheFirstBlockLeft() {
        try (ExecutionJournal journal = open()) {
            long second = firstBlock(files(directory).get(1));

            assertThat(journal.pruneBefore(second - 2)).isZero();
            assertThat(journal.pruneBefore(second - 1)).isEqualTo(1);

            assertThat(journal.firstBlock()).isEqualTo(second);
            assertThat(read(journal, second - 1)).isEqualTo(expected.subList((int) second - 1, BLOCKS));
            assertThatThrownBy(() -> read(journal, second - 2))
                    .isInstanceOf(JournalGapException.class)
                    .hasMessageContaining("starts at block " + second);
            journal.pruneBefore(Long.MAX_VALUE);
            assertThat(files(directory)).as("the newest stays").hasSize(1);
        }
    }

    @Test
    void shouldNoticeThatAFileIsMissing() throws IOException {
        Files.delete(files(directory).get(2));

        try (ExecutionJournal journal = open()) {
            assertThatThrownBy(() -> read(journal, 0))
                    .isInstanceOfAny(UncheckedIOException.class, JournalGapException.class);
        }
    }

    private ExecutionJournal open() {
        return ExecutionJournal.open(directory, SEGMENT_BYTES, Durability.PROCESS);
    }

    private void copyJournal(Path changed, byte[] content) throws IOException {
        for (Path file : files(directory)) {
            Files.delete(file);
        }
        copyJournal();
        Files.write(changed, content);
    }

    private static List<List<String>> blocksAfter(Path journalDirectory, long position) {
        try (ExecutionJournal journal = ExecutionJournal.open(journalDirectory, SEGMENT_BYTES, Durability.PROCESS)) {
            return read(journal, position);
        }
    }

    private static List<List<String>> read(ExecutionJournal journal, long position) {
        return read(journal, position, new ArrayList<>());
    }

    private static List<List<String>> read(ExecutionJournal journal, long position, List<List<String>> blocks) {
        Texts texts = new Texts();
        try (JournalReader reader = journal.readAfter(position)) {
            while (reader.next(texts) >= 0) {
                blocks.add(texts.take());
            }
        }
        return blocks;
    }

    /** The messages of one block, as text. */
    private static final class Texts implements OutputMessages.Visitor {
        private List<String> block = new ArrayList<>();

        List<String> take() {
            List<String> taken = block;
            block = new ArrayList<>();
            return taken;
        }

        @Override
        public void onReport(int index, ExecutionReportDecoder report, byte[] bytes, int offset) {
            block.add(index + " " + report);
        }

        @Override
        public void onTrade(int index, TradeDecoder trade) {
            block.add(index + " " + trade);
        }
    }

    private Path last() {
        return files(directory).getLast();
    }

    private static long firstBlock(Path file) {
        return Long.parseLong(file.getFileName().toString().replace(".journal", ""));
    }

    private static List<Path> files(Path journalDirectory) {
        return List.copyOf(ExecutionJournal.segments(journalDirectory).values());
    }
}
