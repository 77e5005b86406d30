package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveConfig;
import io.sealbook.archive.Block;
import io.sealbook.archive.BlockArchive;
import io.sealbook.archive.BlockBuilder;
import io.sealbook.consensus.execution.InProcessEngine;
import io.sealbook.consensus.execution.InProcessExecution;
import io.sealbook.facts.Facts;
import io.sealbook.vocabulary.Digest;
import io.sealbook.vocabulary.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When an engine inside a node executes, beside what else its thread does. */
@Timeout(300)
class EngineCycleTest {
    private static final int WAITING_MAX = 8;

    @TempDir
    private Path directory;

    private final NodeLoop loop = new NodeLoop(0);
    private final Queue<Throwable> failures = new LinkedBlockingQueue<>();
    private final List<String> done = new ArrayList<>();
    private final Queue<Runnable> commits = new ConcurrentLinkedQueue<>();
    private BlockArchive archive;
    private InProcessExecution execution;
    private EngineCycle cycle;

    private final class Engine implements InProcessEngine {
        @Override
        public Digest execute(Block block) {
            done.add("execute " + block.header().sequence());
            return block.hash();
        }

        @Override
        public long betweenBlocks() {
            done.add("between");
            return done.size();
        }
    }

    /** In place of a committer. */
    private final class Commits extends DutyCycle {
        @Override
        public int doWork() {
            Runnable commit = commits.poll();
            if (commit == null) {
                return 0;
            }
            commit.run();
            return 1;
        }

        @Override
        public boolean hasWork() {
            return !commits.isEmpty();
        }

        @Override
        public long idleNs() {
            return Long.MAX_VALUE;
        }
    }

    @BeforeEach
    void open() {
        archive = BlockArchive.open(directory, new ArchiveConfig(Digest.ZERO, 64, Durability.PROCESS));
        Engine engine = new Engine();
        execution = new InProcessExecution(engine, archive, () -> 0, WAITING_MAX);
        cycle = new EngineCycle(engine, execution);
    }

    @AfterEach
    void close() {
        loop.close();
        archive.close();
        assertThat(failures).isEmpty();
    }

    private void commit(long sequence) {
        byte[] block = new BlockBuilder()
                .begin(sequence, 0, sequence, Digest.ZERO, archive.lastHash())
                .build();
        execution.append(archive.append(block), Block.wrap(block));
    }

    /** A commit wakes followers, whose streams have the loop write: both come before the block is executed. */
    @Test
    void shouldExecuteAfterWhatTheCommitAndItsFollowersLeftToTheLoop() throws Exception {
        LoopCycle running = new LoopCycle(loop.loop(), new CombinedCycle(new Commits(), cycle), failures::add);
        for (long each = 1; each <= 3; each++) {
            long sequence = each;
            commits.add(() -> {
                cycle.wakeUp(); // As the agent does, who shares the thread.
                commit(sequence);
                loop.loop().execute(() -> {
                    done.add("follower " + sequence);
                    loop.loop().execute(() -> done.add("write " + sequence));
                });
            });
        }
        running.start();
        Facts.await("all is executed", () -> done().contains("execute 3"));

        List<String> order = done();
        for (int sequence = 1; sequence <= 3; sequence++) {
            assertThat(order).containsSubsequence("follower " + sequence, "write " + sequence, "execute " + sequence);
        }
        assertThat(order).containsSubsequence("execute 1", "execute 2", "execute 3");
    }

    private List<String> done() {
        List<String> copy = new ArrayList<>();
        loop.runToEnd(() -> copy.addAll(done));
        return copy;
    }

    @Test
    void shouldExecuteABlockInARoundAndSayThatMoreWaits() {
        commit(1);
        commit(2);
        while (cycle.hasWork()) {
            assertThat(cycle.doWork()).isEqualTo(1);
        }
        assertThat(done).containsExactly("execute 1", "between", "execute 2", "between");

        assertThat(cycle.doWork()).isZero();
        assertThat(done).endsWith("between").hasSize(5);
        assertThat(cycle.idleNs()).as("what the engine said last").isEqualTo(5);
    }
}
