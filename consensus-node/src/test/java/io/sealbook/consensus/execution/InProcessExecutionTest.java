package io.sealbook.consensus.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.archive.BlockLocation;
import io.sealbook.handoff.BlockResult;
import io.sealbook.vocabulary.BrokenInvariantException;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InProcessExecutionTest {
    private static final int BLOCKS = 3;
    private static final int BLOCKS_PER_SEGMENT = 16;
    private static final Digest RESTORED = Digest.sha256(new byte[] {2});

    @TempDir
    private Path directory;

    private final List<Long> executed = new ArrayList<>();
    private final List<Block> contents = new ArrayList<>();
    private final List<BlockLocation> locations = new ArrayList<>();
    private BlockArchive archive;

    /** An engine that begins with the state after a block. */
    private final class Restored implements InProcessEngine {
        private final Optional<Position> position;

        Restored(Optional<Position> position) {
            this.position = position;
        }

        @Override
        public Optional<Position> restored() {
            return position;
        }

        @Override
        public Digest execute(Block block) {
            executed.add(block.header().sequence());
            contents.add(block);
            return block.hash();
        }
    }

    @BeforeEach
    void writeArchive() throws IOException {
        archive = BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, BLOCKS_PER_SEGMENT, Durability.PROCESS));
        for (long sequence = 1; sequence <= BLOCKS; sequence++) {
            locations.add(archive.append(new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.ZERO, archive.lastHash())
                    .build()));
        }
    }

    @AfterEach
    void closeArchive() {
        archive.close();
    }

    @Test
    void shouldExecuteEveryBlockFromTheEmptyMarketOn() {
        InProcessExecution execution = execution(Optional.empty());

        assertThat(execution.lastSequence()).isZero();
        assertThat(execution.last()).isEmpty();
        locations.forEach(execution::append);

        assertThat(executed).containsExactly(1L, 2L, 3L);
        assertThat(execution.last()).contains(locations.get(2));
    }

    @Test
    void shouldGoOnAfterTheStateOfTheEngine() {
        InProcessExecution execution = execution(Optional.of(positionOf(2)));
        List<Long> results = new ArrayList<>();
        execution.onResults(result -> results.add(result.sequence()), 0);

        assertThat(execution.lastSequence()).isEqualTo(2);
        assertThat(execution.last()).contains(locations.get(1));
        locations.forEach(execution::append);

        assertThat(executed).containsExactly(3L);
        assertThat(results).containsExactly(2L, 3L);
    }

    /** Else no replica would sign the last block of an epoch after a restart of all of them. */
    @Test
    void shouldReportTheResultOfTheStateItStartsFrom() {
        InProcessExecution execution = execution(Optional.of(positionOf(BLOCKS)));
        List<BlockResult> results = new ArrayList<>();

        execution.onResults(results::add, BLOCKS - 1);

        assertThat(results).extracting(BlockResult::sequence).containsExactly((long) BLOCKS);
        assertThat(results.getFirst().digest()).isEqualTo(RESTORED);
    }

    @Test
    void shouldReportTheResultOfItsStateWhenTheBlockComes() {
        byte[] next = new BlockBuilder()
                .begin(BLOCKS + 1, 0, BLOCKS + 1, Digest.ZERO, archive.lastHash())
                .build();
        InProcessExecution execution = execution(Optional.of(
                new InProcessEngine.Position(BLOCKS + 1, Block.wrap(next).hash(), RESTORED)));
        List<BlockResult> results = new ArrayList<>();
        execution.onResults(results::add, 0);
        locations.forEach(execution::append);
        assertThat(results).isEmpty();

        execution.append(archive.append(next));

        assertThat(results).extracting(BlockResult::digest).containsExactly(RESTORED);
        assertThat(executed).isEmpty();
    }

    @Test
    void shouldExecuteACommittedBlockFromMemory() {
        InProcessExecution execution = execution(Optional.empty());
        locations.subList(0, BLOCKS - 1).forEach(execution::append);
        Block last = Block.wrap(archive.read(BLOCKS).orElseThrow());
        archive.close(); // Whoever reads it now fails.

        execution.append(locations.get(BLOCKS - 1), last);
        execution.append(locations.get(BLOCKS - 1), last);

        assertThat(executed).containsExactly(1L, 2L, 3L);
        assertThat(contents.getLast()).isSameAs(last);
    }

    @Test
    void shouldLetBlocksWaitUntilThereAreTooMany() {
        InProcessExecution execution = execution(Optional.empty(), 2);
        List<Long> results = new ArrayList<>();
        execution.onResults(result -> results.add(result.sequence()), 0);

        appendFromMemory(execution, 1, 2);
        assertThat(executed).isEmpty();
        assertThat(execution.lastSequence()).isEqualTo(2);

        appendFromMemory(execution, 3);
        assertThat(executed).containsExactly(1L);

        execution.executeNext();
        assertThat(executed).containsExactly(1L, 2L);
        execution.executeNext();
        assertThat(execution.hasWaiting()).isFalse();
        assertThat(results).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldExecuteWhatWaitsBeforeABlockOfTheArchive() {
        InProcessExecution execution = execution(Optional.empty(), 2);
        appendFromMemory(execution, 1, 2);

        execution.append(locations.get(2));

        assertThat(executed).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldExecuteWhatWaitsBeforeItIsClosed() {
        InProcessExecution execution = execution(Optional.empty(), 2);
        appendFromMemory(execution, 1, 2);

        execution.close();

        assertThat(executed).containsExactly(1L, 2L);
    }

    @Test
    void shouldExecuteNothingAfterAFailure() {
        InProcessExecution execution = new InProcessExecution(
                block -> {
                    executed.add(block.header().sequence());
                    throw new BrokenInvariantException("planted");
                },
                archive,
                () -> 0,
                2);
        appendFromMemory(execution, 1, 2);
        assertThatThrownBy(execution::executeNext).hasMessage("planted");

        execution.close();

        assertThat(executed).containsExactly(1L);
    }

    /** A process that ends with blocks waiting leaves them in the archive. */
    @Test
    void shouldExecuteAtTheNextStartWhatWaited() {
        InProcessExecution ended = execution(Optional.empty(), 2);
        appendFromMemory(ended, 1, 2, 3);
        assertThat(executed).containsExactly(1L);
        executed.clear();

        InProcessExecution next = execution(Optional.of(positionOf(1)), 2);
        locations.forEach(next::append);

        assertThat(executed).containsExactly(2L, 3L);
    }

    private void appendFromMemory(InProcessExecution execution, int... sequences) {
        for (int sequence : sequences) {
            execution.append(
                    locations.get(sequence - 1),
                    Block.wrap(archive.read(sequence).orElseThrow()));
        }
    }

    @Test
    void shouldPassOnWhatWasExecutedBeforeSomebodyTookResults() {
        InProcessExecution execution = execution(Optional.empty());
        locations.forEach(execution::append);
        List<BlockResult> results = new ArrayList<>();

        execution.onResults(results::add, 1);

        assertThat(results).extracting(BlockResult::sequence).containsExactly(2L, 3L);
        assertThat(results.get(1).digest()).isEqualTo(locations.get(2).hash());
    }

    /** A replay from the first block makes as many results as the chain has blocks. */
    @Test
    void shouldKeepTheLastResultsOnlyUntilSomebodyTakesThem() {
        long last = InProcessExecution.EARLY_MAX + 100L;
        Digest hash = archive.lastHash();
        for (long sequence = BLOCKS + 1; sequence <= last; sequence++) {
            byte[] block = new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.ZERO, hash)
                    .build();
            locations.add(archive.append(block));
            hash = archive.lastHash();
        }
        InProcessExecution execution = execution(Optional.empty());
        locations.forEach(execution::append);
        List<Long> results = new ArrayList<>();

        execution.onResults(result -> results.add(result.sequence()), 0);

        assertThat(results)
                .hasSize(InProcessExecution.EARLY_MAX)
                .startsWith(101L)
                .endsWith(last);
    }

    @Test
    void shouldWaitForBlocksThatTheArchiveLostAndTheStateHas() {
        InProcessExecution execution =
                execution(Optional.of(new InProcessEngine.Position(BLOCKS + 2, Digest.ZERO, Digest.ZERO)));

        assertThat(execution.last()).isEmpty();
        locations.forEach(execution::append);

        assertThat(executed).isEmpty();
        assertThat(execution.lastSequence()).isEqualTo(BLOCKS + 2);
    }

    @Test
    void shouldRefuseAStateOfAnotherChain() {
        assertThatThrownBy(() -> execution(Optional.of(new InProcessEngine.Position(2, Digest.ZERO, Digest.ZERO))))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("built on block 2");
    }

    @Test
    void shouldRefuseAGap() {
        InProcessExecution execution = execution(Optional.empty());

        assertThatThrownBy(() -> execution.append(locations.get(1)))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("cannot execute 2");
        Block second = Block.wrap(archive.read(2).orElseThrow());
        assertThatThrownBy(() -> execution.append(locations.get(1), second))
                .isInstanceOf(BrokenInvariantException.class)
                .hasMessageContaining("cannot execute 2");
        assertThat(executed).isEmpty();
    }

    private InProcessEngine.Position positionOf(int sequence) {
        return new InProcessEngine.Position(
                sequence, locations.get(sequence - 1).hash(), RESTORED);
    }

    private InProcessExecution execution(Optional<InProcessEngine.Position> position) {
        return execution(position, 0);
    }

    private InProcessExecution execution(Optional<InProcessEngine.Position> position, int waitingMax) {
        return new InProcessExecution(new Restored(position), archive, () -> 0, waitingMax);
    }
}
