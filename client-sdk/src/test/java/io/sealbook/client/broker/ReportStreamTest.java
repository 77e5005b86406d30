package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.Checkpointer;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.client.FileCheckpointer;
import io.sealbook.client.Receipt;
import io.sealbook.client.ReportAgreement;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReportStreamTest extends ClusterTest {
    private static final int COUNT = 200;
    /** Number of orders of a block whose reports are three runs. */
    private static final int LARGE = 600;
    /** Seven runs: more than come in four times the patience where each takes 0.7 of it. */
    private static final int VERY_LARGE = 1_700;
    /** The engine that is asked for reports first: the broker's number modulo the number of nodes. */
    private static final int SENDER = 1;

    @TempDir
    Path directory;

    private final List<ExecutionReport> received = Collections.synchronizedList(new ArrayList<>());

    @Test
    void shouldDeliverEveryReportOnceAndInSequence() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
            assertThat(received).extracting(ExecutionReport::clOrdId).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldNotBelieveAnEngineWithOtherBytes() throws Exception {
        cluster.reports(0, TestNode.Reports.WRONG_BYTES);
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(received).extracting(ExecutionReport::price).containsOnly(100L);
        }
    }

    @Test
    void shouldWaitForASecondEngine() throws Exception {
        for (int node : new int[] {0, 2, 3}) {
            cluster.reportsMax(node, 5);
        }
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client, 1, 5);
            awaitReports(5);
            submit(client, 6, COUNT);
            assertThat(client.metrics().reports()).isLessThanOrEqualTo(5);

            cluster.reportsMax(3, COUNT);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldTakeReportsOfOneEngineAndDigestsOfOthers() throws Exception {
        try (BrokerClient client =
                // A machine that stands still must not look like a sender that does.
                cluster.client()
                        .reportPatience(Duration.ofMinutes(5))
                        .executionReports(received::add)
                        .connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(cluster.sentReportsFrom(SENDER)).containsExactly(1L);
            for (int node : new int[] {0, 2, 3}) {
                assertThat(cluster.reportsFrom(node)).containsExactly(1L);
                assertThat(cluster.sentReportsFrom(node)).isEmpty();
            }
        }
    }

    /** It lies, sends other reports than it vouches for, sends none, or nothing at all. */
    @ParameterizedTest
    @EnumSource(names = {"WRONG_BYTES", "WRONG_REPORTS", "DIGESTS_ONLY", "SILENT"})
    void shouldTakeReportsOfAnotherEngineWhereTheSenderIsFaulty(TestNode.Reports fault) throws Exception {
        cluster.reports(SENDER, fault);
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
            assertThat(received).extracting(ExecutionReport::price).containsOnly(100L);
            assertAnotherSender();
        }
    }

    @Test
    void shouldTakeReportsOfAnotherEngineWhereTheSenderFallsBehind() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client, 1, 5);
            awaitReports(5);
            cluster.reportsMax(SENDER, 5);
            submit(client, 6, COUNT);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
            assertAnotherSender();
        }
    }

    /** Each run comes in time, and all of them only after more than four times the patience. */
    @Test
    void shouldDeliverALargeBlockOfSlowEngines() throws Exception {
        commitLargeBlock(VERY_LARGE);
        for (int node = 0; node < 4; node++) {
            cluster.reportsPace(node, Duration.ofMillis(140));
        }
        try (BrokerClient client = cluster.client()
                .reportPatience(Duration.ofMillis(200))
                .executionReports(received::add)
                .connect()) {
            awaitReports(VERY_LARGE);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, VERY_LARGE));
        }
    }

    /** No second run comes in time at first, and the block takes longer than the longest time without a new run. */
    @Test
    void shouldBecomeMorePatientWhereEveryEngineIsSlow() throws Exception {
        commitLargeBlock(VERY_LARGE);
        for (int node = 0; node < 4; node++) {
            cluster.reportsPace(node, Duration.ofMillis(120));
        }
        try (BrokerClient client = cluster.client()
                .reportPatience(Duration.ofMillis(5))
                .executionReports(received::add)
                .connect()) {
            awaitReports(VERY_LARGE);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, VERY_LARGE));
        }
    }

    @Test
    void shouldTakeReportsOfAnotherEngineWhereTheSenderSendsFramesWithoutRuns() throws Exception {
        cluster.reports(SENDER, TestNode.Reports.EMPTY_FRAMES);
        cluster.reportsPace(SENDER, Duration.ofMillis(10));
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
            assertAnotherSender();
        }
    }

    /** No frame comes that would show that the second one is behind, too. */
    @Test
    void shouldGoOnWhereTheNextSenderIsSilentToo() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client, 1, 5);
            awaitReports(5);
            cluster.reports(SENDER, TestNode.Reports.SILENT);
            cluster.reports(SENDER + 1, TestNode.Reports.SILENT_AS_SENDER);
            await(client.submit(order(6)));
            awaitReports(6);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, 6));
        }
    }

    /** Each of these is the sender's end, so that the next engine is asked. */
    @Test
    void shouldLoseNothingWhileSenderAfterSenderIsKilled() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client, 1, 50);
            awaitReports(50);
            cluster.kill(SENDER);
            submit(client, 51, 100);
            awaitReports(100);
            cluster.restart(SENDER);
            cluster.kill(2);
            submit(client, 101, COUNT);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldDeliverABlockOfSeveralRunsFromItsMiddleOn() throws Exception {
        commitLargeBlock(LARGE);
        try (BrokerClient client = cluster.client()
                .executionReports(received::add)
                .reportsFrom(300)
                .connect()) {
            awaitReports(LARGE - 299);

            assertThat(sequences()).containsExactlyElementsOf(ids(300, LARGE));
            assertThat(received).extracting(ExecutionReport::clOrdId).containsExactlyElementsOf(ids(300, LARGE));
        }
    }

    @Test
    void shouldBelieveOneEngineByChoice() throws Exception {
        cluster.reports(2, TestNode.Reports.WRONG_BYTES);
        try (BrokerClient client = cluster.client()
                .executionReports(received::add)
                .reportAgreement(ReportAgreement.trusting(2))
                .connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(cluster.reportsFrom(0)).isEmpty();
            assertThat(received).extracting(ExecutionReport::price).doesNotContain(100L);
        }
    }

    @Test
    void shouldAskAgainWhereAnEngineSkipped() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.reports(node, TestNode.Reports.SKIPPING_ONCE);
        }
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
            assertThat(client.metrics().reportGaps()).isPositive();
        }
    }

    @Test
    void shouldDropWhatEnginesRepeat() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.reports(node, TestNode.Reports.REPEATING);
        }
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client);
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldLoseNothingWhileEnginesComeAndGo() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            for (int round = 0; round < 4; round++) {
                cluster.kill(round);
                for (long i = 1; i <= 50; i++) {
                    await(client.submit(order(round * 50L + i)));
                }
                cluster.restart(round);
            }
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldHoldEnginesBackForASlowListenerAndLoseNothing() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        try (BrokerClient client = cluster.client()
                .reportQueueMax(4)
                .executionReports(report -> {
                    awaitGate(gate);
                    received.add(report);
                })
                .connect()) {
            submit(client); // Receipts come although the listener stands still.

            gate.countDown();
            awaitReports(COUNT);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldLetTheListenerSubmit() throws Exception {
        AtomicReference<BrokerClient> self = new AtomicReference<>();
        CountDownLatch connected = new CountDownLatch(1);
        try (BrokerClient client = cluster.client()
                .inFlightMax(1)
                .executionReports(report -> {
                    awaitGate(connected);
                    received.add(report);
                    if (report.clOrdId() < 20) {
                        self.get().submit(order(report.clOrdId() + 1));
                    }
                })
                .connect()) {
            self.set(client);
            connected.countDown();
            client.submit(order(1));
            awaitReports(20);

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, 20));
        }
    }

    @Test
    void shouldResumeFromAGivenSequence() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            submit(client);
        }
        try (BrokerClient client = cluster.client()
                .executionReports(received::add)
                .reportsFrom(151)
                .connect()) {
            awaitReports(50);

            assertThat(sequences()).containsExactlyElementsOf(ids(151, COUNT));
        }
    }

    @Test
    void shouldBeginWithNewReports() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            submit(client);
        }
        cluster.reports(0, TestNode.Reports.WRONG_REPORTS); // Says that there are very many.
        cluster.reports(1, TestNode.Reports.SILENT);
        try (BrokerClient client = cluster.client()
                .executionReports(received::add)
                .reportsFromNow()
                .connect()) {
            await(client.submit(order(COUNT + 1)));
            awaitReports(1);

            assertThat(sequences()).containsExactly(COUNT + 1L);
        }
    }

    @Test
    void shouldNotConnectWithoutEnoughEnginesToBeginWithNewReports() {
        cluster.reports(0, TestNode.Reports.SILENT);
        cluster.reports(1, TestNode.Reports.SILENT);

        assertThatThrownBy(() -> cluster.client()
                        .executionReports(received::add)
                        .reportsFromNow()
                        .connectTimeout(Duration.ofSeconds(1))
                        .connect())
                .isInstanceOf(ConnectFailedException.class);
    }

    @Test
    void shouldRefuseTheCheckpointOfAnotherBroker() {
        try (Checkpointer checkpointer = FileCheckpointer.open(directory.resolve("reports.checkpoint"))) {
            checkpointer.bind(cluster.genesis().digest(), TestCluster.BROKER_ID + 1);

            assertThatThrownBy(() -> cluster.client()
                            .executionReports(received::add)
                            .checkpointer(checkpointer)
                            .connect())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("belongs to broker");
        }
    }

    @Test
    void shouldResumeBehindTheCheckpoint() throws Exception {
        Path file = directory.resolve("reports.checkpoint");
        try (Checkpointer checkpointer = FileCheckpointer.open(file);
                BrokerClient client = cluster.client()
                        .executionReports(received::add)
                        .checkpointer(checkpointer)
                        .connect()) {
            submit(client);
            awaitReports(COUNT);
        }
        received.clear();
        try (Checkpointer checkpointer = FileCheckpointer.open(file);
                BrokerClient client = cluster.client()
                        .executionReports(received::add)
                        .checkpointer(checkpointer)
                        .connect()) {
            await(client.submit(order(COUNT + 1)));
            awaitReports(1);

            assertThat(sequences()).containsExactly(COUNT + 1L);
        }
    }

    @Test
    void shouldCheckpointTheReportThatIsHandledWhileTheClientIsClosed() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        CompletableFuture<ExecutionReport> stoppedAt = new CompletableFuture<>();
        ExecutionReportListener listener = new ExecutionReportListener() {
            @Override
            public void onReport(ExecutionReport report) {
                received.add(report);
                closed.join();
            }

            @Override
            public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
                stoppedAt.complete(unhandled);
            }
        };
        try (FileCheckpointer checkpointer = FileCheckpointer.open(directory.resolve("reports.checkpoint"))) {
            BrokerClient client = cluster.client()
                    .executionReports(listener)
                    .checkpointer(checkpointer)
                    .connect();
            submit(client);
            awaitReports(1);

            client.close();
            closed.complete(null);

            Facts.await("a checkpoint", () -> stoppedAt.isDone() || checkpointer.lastHandled() == 1);
            assertThat(stoppedAt).isNotDone();
            try (BrokerClient next = cluster.client()
                    .executionReports(received::add)
                    .checkpointer(checkpointer)
                    .connect()) {
                awaitReports(COUNT);
            }
            assertThat(sequences()).containsExactlyElementsOf(ids(1, COUNT));
        }
    }

    @Test
    void shouldKeepTheCheckpointOfTheNextClientWhenALateReportEnds() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger checkpoints = new AtomicInteger();
        try (FileCheckpointer file = FileCheckpointer.open(directory.resolve("reports.checkpoint"))) {
            Checkpointer checkpointer = counting(file, checkpoints);
            BrokerClient client = cluster.client()
                    .executionReports(report -> {
                        received.add(report);
                        awaitGate(gate);
                    })
                    .closeTimeout(Duration.ofMillis(1))
                    .checkpointer(checkpointer)
                    .connect();
            submit(client);
            awaitReports(1);
            client.close();
            try (BrokerClient next = cluster.client()
                    .executionReports(received::add)
                    .checkpointer(checkpointer)
                    .connect()) {
                Facts.await("the checkpoint of the next client", () -> file.lastHandled() == COUNT);

                gate.countDown();
                Facts.await("the late checkpoint", () -> checkpoints.get() == COUNT + 1);
            }
            assertThat(file.lastHandled()).isEqualTo(COUNT);
        }
    }

    /** Returns the same checkpointer; each call of it that has returned is counted. */
    private static Checkpointer counting(Checkpointer checkpointer, AtomicInteger handled) {
        return new Checkpointer() {
            @Override
            public long lastHandled() {
                return checkpointer.lastHandled();
            }

            @Override
            public void handled(long reportSequence) {
                checkpointer.handled(reportSequence);
                handled.incrementAndGet();
            }

            @Override
            public void close() {
                checkpointer.close();
            }
        };
    }

    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void shouldStopAtAReportThatTheListenerCouldNotHandle(Class<? extends Throwable> thrown) throws Exception {
        Path file = directory.resolve("reports.checkpoint");
        CompletableFuture<ExecutionReport> stoppedAt = new CompletableFuture<>();
        ExecutionReportListener listener = new ExecutionReportListener() {
            @Override
            public void onReport(ExecutionReport report) {
                if (report.reportSequence() == 7) {
                    throwUnchecked(thrown);
                }
                received.add(report);
            }

            @Override
            public void onStopped(ExecutionReport unhandled, RuntimeException cause) {
                stoppedAt.complete(unhandled);
            }
        };
        try (Checkpointer checkpointer = FileCheckpointer.open(file);
                BrokerClient client = cluster.client()
                        .executionReports(listener)
                        .checkpointer(checkpointer)
                        .connect()) {
            submit(client);

            assertThat(stoppedAt.get().reportSequence()).isEqualTo(7);
            assertThat(checkpointer.lastHandled()).isEqualTo(6);
            assertThat(sequences()).containsExactlyElementsOf(ids(1, 6));
        }
    }

    private static void throwUnchecked(Class<? extends Throwable> type) {
        try {
            Throwable made = type.getConstructor(String.class).newInstance("scripted");
            if (made instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) made;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private void commitLargeBlock(int count) throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().inFlightMax(count).connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= count; id++) {
                receipts.add(client.submit(order(id)));
            }
            Facts.await("all in one block", () -> cluster.pendingCount() == count);
            cluster.committing(true);
            awaitAll(receipts);
        }
    }

    private void submit(BrokerClient client) throws Exception {
        submit(client, 1, COUNT);
    }

    private void submit(BrokerClient client, long first, long last) throws Exception {
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (long id = first; id <= last; id++) {
            receipts.add(client.submit(order(id)));
        }
        awaitAll(receipts);
    }

    private void assertAnotherSender() {
        assertThat(Stream.of(0, 2, 3).flatMap(node -> cluster.sentReportsFrom(node).stream()))
                .isNotEmpty();
    }

    private void awaitReports(int count) throws Exception {
        Facts.await(count + " reports", () -> received.size() >= count);
    }

    private List<Long> sequences() {
        synchronized (received) {
            return received.stream().map(ExecutionReport::reportSequence).toList();
        }
    }

    private static void awaitGate(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
