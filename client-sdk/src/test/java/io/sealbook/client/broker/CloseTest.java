package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

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
