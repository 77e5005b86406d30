package io.sealbook.consensus.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.consensus.handoff.ResultReader;
import io.sealbook.facts.Facts;
import io.sealbook.handoff.BlockResult;
import io.sealbook.handoff.HandOffWriter;
import io.sealbook.handoff.QueueWatch;
import io.sealbook.node.status.NodeState;
import io.sealbook.vocabulary.Digest;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread that takes results, on a queue that another writer fills. */
@Timeout(300)
class ResultCycleTest {
    private static final int BLOCKS = 100;
    private static final long HOUR_NS = 3_600_000_000_000L;

    @TempDir
    Path queue;

    private final AtomicLong last = new AtomicLong();
    private volatile boolean isRunning = true;

    @Test
    void shouldTakeResultsAsTheEngineWritesThemWithoutATimer() throws Exception {
        NodeState state = new NodeState(Digest.ZERO);
        try (ResultReader reader = new ResultReader(queue, 0, () -> BLOCKS, result -> last.set(result.sequence()));
                ResultCycle results = new ResultCycle(queue, reader, state);
                HandOffWriter<BlockResult> engine = HandOffWriter.ofResults(queue)) {
            Thread thread = Thread.ofPlatform().start(() -> repeatWithoutTimer(results));
            for (long block = 1; block <= BLOCKS; block++) {
                Facts.await("a cycle that sleeps", () -> thread.getState() == Thread.State.TIMED_WAITING);
                engine.append(new BlockResult(block, Digest.ZERO, 1, 1, 0));
                long expected = block;
                Facts.await(() -> "block " + expected + ", taken " + last, () -> last.get() == expected);
            }
            isRunning = false;
            LockSupport.unpark(thread);
            thread.join();
        }
    }

    @Test
    void shouldLookAgainSoonWhileTheArchiveLacksTheBlockOfAResult() {
        AtomicLong archived = new AtomicLong();
        try (ResultReader reader = new ResultReader(queue, 0, archived::get, result -> last.set(result.sequence()));
                ResultCycle results = new ResultCycle(queue, reader, new NodeState(Digest.ZERO));
                HandOffWriter<BlockResult> engine = HandOffWriter.ofResults(queue)) {
            engine.append(new BlockResult(1, Digest.ZERO, 1, 1, 0));
            workToEnd(results);
            assertThat(results.idleNs()).isLessThan(QueueWatch.SLEEP_MAX_NS);

            archived.set(1);
            workToEnd(results);
            assertThat(last).hasValue(1);
        }
    }

    private static void workToEnd(ResultCycle cycle) {
        while (cycle.doWork() > 0) {
            // There may be more.
        }
    }

    private void repeatWithoutTimer(ResultCycle cycle) {
        while (isRunning) {
            if (cycle.doWork() == 0 && isRunning) {
                cycle.park(HOUR_NS);
            }
        }
    }
}
