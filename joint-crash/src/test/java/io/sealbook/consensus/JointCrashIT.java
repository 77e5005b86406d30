package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.archive.ArchiveReader;
import io.sealbook.archive.Block;
import io.sealbook.consensus.config.NodeDirectory;
import io.sealbook.matching.MarketConfig;
import io.sealbook.matching.MatchingCore;
import io.sealbook.matching.MatchingOutput;
import io.sealbook.matching.ReportRecord;
import io.sealbook.ports.PortBlock;
import io.sealbook.vocabulary.BatchView;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * All processes are killed at one instant, brokers included, again and again, many times while primaries are being
 * replaced. After each crash new batches are committed. At the end the archives are equal, and an engine that executes
 * them executes every batch that was acknowledged once. A new view may name a batch in two blocks
 * (pbft/doc/protocol.md); the engine refuses the second.
 *
 * <p>System properties: {@code sealbook.crash.rounds}, 30 by default, at most 63; {@code sealbook.crash.seed}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class JointCrashIT {
    private static final int ROUNDS = Integer.getInteger("sealbook.crash.rounds", 30);
    private static final long SEED = Long.getLong("sealbook.crash.seed", 20_261_122);
    private static final int NODES = CrashSessions.NODES;
    private static final long FACT_LIMIT_S = 180;

    @TempDir
    private Path directory;

    /** Refuses too many rounds before the first. */
    private final CrashSessions sessions = new CrashSessions(ROUNDS);

    @Test
    void shouldGoOnAfterEveryProcessWasKilledAtOneInstant() throws Exception {
        try (PortBlock ports = PortBlock.take(TestCluster.PORTS)) {
            TestCluster.write(
                    directory,
                    ports,
                    parameters -> parameters.setRequestTimeoutMs(400).setViewChangeTimeoutMaxMs(1_600));
            crashManyTimes();
        }
        assertThatAllArchivesHold(Files.readAllLines(directory.resolve("ledger")));
    }

    private void crashManyTimes() throws Exception {
        Random random = new Random(SEED);
        for (int round = 1; round <= ROUNDS; round++) {
            try (Host host = new Host(directory, round, sessions)) {
                host.awaitFact("fresh ");
                // Each second crash comes while a primary is being replaced, or has been.
                for (int changes = random.nextInt(4) - 1; changes > 0; changes--) {
                    host.command("stop-primary");
                    host.awaitFact("stopped ");
                    if (changes > 1) {
                        host.awaitFact("fresh ");
                        host.command("start");
                        host.awaitFact("started ");
                    }
                }
                for (int facts = random.nextInt(20); facts > 0; facts--) {
                    host.awaitFact("");
                }
                LockSupport.parkNanos(random.nextLong(50_000_000));
            }
        }
        try (Host host = new Host(directory, ROUNDS + 1, sessions)) {
            host.awaitFact("fresh ");
            host.command("drain");
            host.awaitFact("drained");
        }
    }

    private void assertThatAllArchivesHold(List<String> acknowledged) throws IOException {
        assertThat(acknowledged).isNotEmpty();
        List<String> reference = hashes(0);
        for (int node = 1; node < NODES; node++) {
            assertThat(hashes(node)).as("chain of node " + node).isEqualTo(reference);
        }
        Map<Digest, List<Long>> executions = executions();
        for (String id : acknowledged) {
            assertThat(executions.get(Digest.of(HexFormat.of().parseHex(id))))
                    .as("blocks in which the acknowledged batch " + id + " is executed")
                    .hasSize(1);
        }
    }

    private List<String> hashes(int node) {
        List<String> hashes = new ArrayList<>();
        try (ArchiveReader archive = archive(node)) {
            for (long sequence = 1; sequence <= archive.lastSequence(); sequence++) {
                Block block = Block.wrap(archive.read(sequence).orElseThrow());
                hashes.add(block.hash().hex());
            }
        }
        return hashes;
    }

    /** Returns the blocks in which a matching core that reads the chain of node 0 executes each batch. */
    private Map<Digest, List<Long>> executions() throws IOException {
        Map<Digest, List<Long>> executions = new HashMap<>();
        MatchingCore core = new MatchingCore(
                MarketConfig.of(new NodeDirectory(directory.resolve("net").resolve("node0"))
                        .readGenesis()
                        .genesis()));
        UnsafeBuffer batch = new UnsafeBuffer(0, 0);
        BatchView view = new BatchView();
        try (ArchiveReader archive = archive(0)) {
            for (long sequence = 1; sequence <= archive.lastSequence(); sequence++) {
                Block block = Block.wrap(archive.read(sequence).orElseThrow());
                core.beginBlock(sequence, block.header().blockTimeNs(), new NoReports());
                for (int i = 0; i < block.batchCount(); i++) {
                    // Each batch that is executed, and no other, leaves its number.
                    view.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
                    long number = core.lastNumber(view.brokerId(), view.session());
                    batch.wrap(block.array(), block.batchOffset(i), block.batchLength(i));
                    core.onBatch(i, batch, 0, block.batchLength(i));
                    if (core.lastNumber(view.brokerId(), view.session()) != number) {
                        executions
                                .computeIfAbsent(block.batchId(i), id -> new ArrayList<>())
                                .add(sequence);
                    }
                }
                core.endBlock();
            }
        }
        return executions;
    }

    private static final class NoReports implements MatchingOutput {
        @Override
        public void onReport(ReportRecord report) {
            // The numbers show what was executed.
        }

        @Override
        public void onTrade(DirectBuffer buffer, int offset, int length) {
            // The numbers show what was executed.
        }
    }

    private ArchiveReader archive(int node) {
        return ArchiveReader.open(
                directory.resolve("net").resolve("node" + node).resolve("archive"));
    }

    /** One life of the process; {@link #close} kills it. */
    private static final class Host implements AutoCloseable {
        private static final int TAIL = 60;

        private final int life;
        private final Process process;
        private final PrintWriter commands;
        private final BlockingQueue<String> facts = new LinkedBlockingQueue<>();
        private final Deque<String> tail = new ArrayDeque<>();
        private final Thread reader;

        Host(Path directory, int life, CrashSessions sessions) throws IOException {
            this.life = life;
            process = TestCluster.startProcess(
                    List.of(),
                    CrashHost.class,
                    directory.toString(),
                    Integer.toString(life),
                    Integer.toString(sessions.rounds()));
            commands = new PrintWriter(process.getOutputStream(), true, StandardCharsets.UTF_8);
            reader = Thread.ofPlatform().start(this::readAll);
        }

        private void readAll() {
            try {
                process.inputReader().lines().forEach(this::read);
            } catch (UncheckedIOException e) {
                // It was killed.
            }
        }

        private void read(String line) {
            synchronized (tail) {
                tail.add(line);
                if (tail.size() > TAIL) {
                    tail.remove();
                }
            }
            if (line.startsWith("FACT ")) {
                facts.add(line.substring("FACT ".length()));
            }
        }

        void command(String command) {
            commands.println(command);
        }

        void awaitFact(String beginning) throws InterruptedException {
            Predicate<String> isIt = fact -> fact.startsWith(beginning);
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(FACT_LIMIT_S);
            while (System.nanoTime() < deadlineNs && (process.isAlive() || !facts.isEmpty())) {
                Optional<String> fact = Optional.ofNullable(facts.poll(1, TimeUnit.SECONDS));
                if (fact.filter(isIt).isPresent()) {
                    return;
                }
            }
            synchronized (tail) {
                throw new AssertionError("life " + life + " never said '" + beginning + "'; its last lines:\n"
                        + String.join("\n", tail));
            }
        }

        @Override
        public void close() throws InterruptedException {
            process.destroyForcibly().waitFor();
            reader.join();
        }
    }
}
