package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessExecution;
import io.sealbook.consensus.life.OpenParts;
import io.sealbook.facts.Facts;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine inside a node that is stopped while a block is executed, on a thread and on an event loop. */
@Timeout(300)
class EngineAtStopTest {
    @TempDir
    private Path directory;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final Queue<String> calls = new ConcurrentLinkedQueue<>();
    private final CountDownLatch executes = new CountDownLatch(1);
    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private final class SlowEngine implements InProcessEngine {
        @Override
        public Digest execute(Block block) {
            calls.add("begin " + block.header().sequence());
            executes.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            calls.add("end " + block.header().sequence());
            return block.hash();
        }

        @Override
        public void close() {
            calls.add("close");
            closed.countDown();
        }
    }

    /** Hands over blocks in place of a committer, each executed before the next. */
    private static final class Appends extends DutyCycle {
        private final BlockArchive archive;
        private final InProcessExecution execution;

        Appends(BlockArchive archive, InProcessExecution execution) {
            this.archive = archive;
            this.execution = execution;
        }

        @Override
        public int doWork() {
            long sequence = archive.lastSequence() + 1;
            byte[] block = new BlockBuilder()
                    .begin(sequence, 0, sequence, Digest.ZERO, archive.lastHash())
                    .build();
            execution.append(archive.append(block), Block.wrap(block));
            return 1;
        }

        @Override
        public boolean hasWork() {
            return true;
        }

        @Override
        public long idleNs() {
            return 0;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCloseTheEngineAfterTheBlockThatItExecutes(boolean isOnLoop) throws Exception {
        OpenParts parts = new OpenParts();
        try (LogLines ofThread = LogLines.of(CycleThread.class);
                LogLines ofLoop = LogLines.of(NodeLoop.class)) {
            BlockArchive archive =
                    parts.add(BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, 64, Durability.PROCESS)));
            InProcessExecution execution = parts.add(new InProcessExecution(new SlowEngine(), archive, () -> 0, 0));
            Optional<NodeLoop> loop = isOnLoop ? Optional.of(parts.add(new NodeLoop(0))) : Optional.empty();
            NodeThreads threads = new NodeThreads(0, new AgentInbox(), new CommitQueue(64), failures::add, loop);
            threads.addOnPath("commit", new Appends(archive, execution));
            parts.add(threads::stop);
            threads.start();
            executes.await();

            Thread stopping = Thread.ofPlatform().start(parts::close);
            Facts.await(
                    "the engine is closed, or its block is waited for",
                    () -> closed.getCount() == 0
                            || !ofThread.warnings().isEmpty()
                            || !ofLoop.warnings().isEmpty());
            mayGoOn.countDown();
            stopping.join();

            assertThat(List.copyOf(calls)).containsExactly("begin 1", "end 1", "close");
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void shouldStopALoopThatHasEnded() {
        NodeLoop loop = new NodeLoop(0);
        NodeThreads threads =
                new NodeThreads(0, new AgentInbox(), new CommitQueue(64), failures::add, Optional.of(loop));
        threads.start();
        loop.close();

        threads.stop();

        assertThat(failures).isEmpty();
    }
}
