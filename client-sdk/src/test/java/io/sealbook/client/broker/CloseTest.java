package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CloseTest extends ClusterTest {

    @Test
    void shouldWaitForWhatIsInFlight() throws Exception {
        cluster.committing(false);
        BrokerClient client = cluster.client()
                .batchSizeMax(10)
                .batchDelay(Duration.ofSeconds(20))
                .closeTimeout(Duration.ofSeconds(20))
                .connect();
        CompletableFuture<Receipt> future = client.submit(order(1));
        CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
        Facts.await("sent", () -> !cluster.submissions().isEmpty());
        assertThat(future).isNotDone();

        cluster.committing(true);

        await(future);
        closing.get();
    }

    @Test
    void shouldEndWhatIsLeftAfterTheDeadline() throws Exception {
        cluster.committing(false);
        BrokerClient client =
                cluster.client().closeTimeout(Duration.ofMillis(50)).connect();
        CompletableFuture<Receipt> future = client.submit(order(1));
        awaitSubmissions(1);

        client.close();

        assertThat(failureOf(future)).isInstanceOfSatisfying(ClientClosedException.class, e -> {
            assertThat(e.isSent()).isTrue();
            assertThat(e.isRetryable()).isFalse();
        });
    }

    @Test
    void shouldSayWhenNothingWasSent() {
        BrokerClient client =
                cluster.client().closeTimeout(Duration.ofMillis(300)).connect();
        for (int node = 0; node < 4; node++) {
            cluster.kill(node);
        }
        CompletableFuture<Receipt> future = client.submit(order(1));

        client.close();

        assertThat(failureOf(future)).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldCloseTwiceAndRefuseAfterwards() {
        BrokerClient client = cluster.client().connect();

        client.close();
        client.close();

        assertThatThrownBy(() -> client.submit(order(1))).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.trySubmit(order(1))).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldLeaveNoThreadBehind() throws Exception {
        BrokerClient client = cluster.client().executionReports(report -> {}).connect();
        await(client.submit(order(1)));

        client.close();

        awaitNoThread();
    }

    private static void awaitNoThread() throws Exception {
        Facts.await(
                "threads end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(each -> each.getName().startsWith("sealbook-broker")));
    }

    @Test
    void shouldHaveDaemonThreadsOnly() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(report -> {}).connect()) {
            await(client.submit(order(1)));

            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(each -> each.getName().startsWith("sealbook-broker"))
                    .hasSizeGreaterThanOrEqualTo(4)
                    .allMatch(Thread::isDaemon);
        }
    }

    @Test
    void shouldCloseFromAContinuation() throws Exception {
        BrokerClient client = cluster.client().connect();
        CompletableFuture<Void> closed = client.submit(order(1)).thenRun(client::close);

        closed.get();

        assertThatThrownBy(() -> client.submit(order(2))).isInstanceOf(ClientClosedException.class);
    }

    /** The result of the second batch comes while the client is being closed after the first one. */
    @Test
    void shouldCompleteWhatIsInABlockWhenAContinuationClosesAClientWithAnOutbox(@TempDir Path directory)
            throws Exception {
        cluster.committing(false);
        BrokerClient client = cluster.client()
                .outbox(directory)
                .closeTimeout(Duration.ofSeconds(AWAIT_LIMIT_S))
                .connect();
        CompletableFuture<Void> closed = client.submit(List.of(order(1))).thenRun(client::close);
        CompletableFuture<Receipt> second = client.submit(List.of(order(2)));
        awaitSubmissions(2);

        cluster.committing(true);

        closed.get();
        assertThat(await(second).blockSequence()).isEqualTo(1);
    }

    private static Stream<Named<Function<BrokerClient, CompletableFuture<?>>>> questions() {
        Duration limit = Duration.ofMillis(300);
        Receipt receipt = new Receipt(new byte[32], 1, 0, 1, new byte[32], 2);
        return Stream.of(
                Named.of("an answer", client -> client.trace(21, 0, Duration.ofSeconds(AWAIT_LIMIT_S))),
                Named.of("no answer", client -> client.openOrders(0, Long.MAX_VALUE, limit)),
                Named.of("no book", client -> client.book(1, 1, 0, limit)),
                Named.of("no proof", client -> client.prove(receipt, limit)));
    }

    @ParameterizedTest
    @MethodSource("questions")
    void shouldCloseFromAContinuationOfAQuestion(Function<BrokerClient, CompletableFuture<?>> question)
            throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.reach(node, 9);
        }
        cluster.committing(false);
        BrokerClient client =
                cluster.client().closeTimeout(Duration.ofMillis(50)).connect();
        CompletableFuture<Receipt> future = client.submit(order(1));
        awaitSubmissions(1);

        question.apply(client)
                .handle((answer, failure) -> {
                    client.close();
                    return answer;
                })
                .get();

        assertThat(failureOf(future)).isInstanceOf(ClientClosedException.class);
        Facts.await(
                "its stream ends", () -> cluster.node(HOME).brokenSubmitStreams.get() == 1);
        awaitNoThread();
    }

    @Test
    void shouldNameTheFailingStepOfEachEndpoint() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(report -> {}).connect()) {
            await(client.submit(order(1)));
            assertThat(client.connectionReport().endpoints()).hasSize(8);
            Facts.await(
                    "all connected",
                    () -> client.connectionReport().endpoints().stream()
                            .allMatch(ConnectionReport.Endpoint::isConnected));
            cluster.kill(3);

            Facts.await(
                    "node 3 is seen to be gone, and no other",
                    () -> client.connectionReport().endpoints().stream()
                            .allMatch(each -> each.step()
                                    == (each.nodeId() == 3
                                            ? ConnectionReport.Step.TCP
                                            : ConnectionReport.Step.CONNECTED)));
        }
    }

    @Test
    void shouldSayWhyConnectingFailed() {
        cluster.kill(0);
        cluster.kill(2);
        cluster.claimsNode(3, 2);
        cluster.submits(HOME, TestNode.Submits.SILENT);

        assertThat(awaitConnectFailure(cluster.client()).endpoints().stream().map(ConnectionReport.Endpoint::step))
                .containsExactly(
                        ConnectionReport.Step.TCP,
                        ConnectionReport.Step.CONNECTED,
                        ConnectionReport.Step.TCP,
                        ConnectionReport.Step.IDENTITY);
    }
}
