package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ExecutionReportListener;
import io.sealbook.facts.Facts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Engines keep the reports of a time: a position before them is told, and is no silence. */
class KeptReportsTest extends ClusterTest {
    /** Its engine sends reports first. */
    private static final int SENDER = 1;

    private final List<ExecutionReport> received = new CopyOnWriteArrayList<>();

    /** Nodes hold the session back until the engines have answered. */
    @Test
    void shouldNotConnectWhereEnginesDoNotKeepTheFirstReport() {
        for (int node = 0; node < 4; node++) {
            cluster.reportsFirst(node, 7);
            cluster.loggingOn(node, false);
        }

        assertThatThrownBy(
                        () -> cluster.client().executionReports(received::add).connect())
                .isInstanceOf(ConnectFailedException.class)
                .hasMessageContaining("delivery begins with report 1")
                .hasMessageContaining(": reports are kept from 7")
                .hasMessageContaining("reportsFrom(n + 1), or with a new checkpoint after FileCheckpointer.handled(n)");
    }

    /** The sender is one of the two that do not. */
    @Test
    void shouldDeliverWhatTwoEnginesKeep() throws Exception {
        cluster.reportsFirst(0, 7);
        cluster.reportsFirst(SENDER, 7);
        try (BrokerClient client =
                cluster.client().executionReports(received::add).connect()) {
            submit(client, 5);
            awaitReports(5);

            assertThat(sequences()).containsExactlyElementsOf(ids(1, 5));
        }
    }

    @Test
    void shouldCallTheListenerWhereEnginesDoNotKeepTheNextReport() throws Exception {
        CompletableFuture<Long> lost = new CompletableFuture<>();
        try (BrokerClient client = cluster.client()
                .executionReports(new ExecutionReportListener() {
                    @Override
                    public void onReport(ExecutionReport report) {
                        received.add(report);
                    }

                    @Override
                    public void onLost(long reportSequence, String why) {
                        assertThat(why).contains("reports are kept from 7");
                        lost.complete(reportSequence);
                    }
                })
                .connect()) {
            submit(client, 5);
            awaitReports(5);
            for (int node = 0; node < 4; node++) {
                cluster.reportsFirst(node, 7);
                cluster.kill(node);
            }
            for (int node = 0; node < 4; node++) {
                cluster.restart(node);
            }

            assertThat(lost.get(AWAIT_LIMIT_S, TimeUnit.SECONDS)).isEqualTo(6);
            assertThat(sequences()).containsExactlyElementsOf(ids(1, 5));
        }
    }

    private static void submit(BrokerClient client, int count) throws Exception {
        for (long id = 1; id <= count; id++) {
            await(client.submit(order(id)));
        }
    }

    private void awaitReports(int count) throws Exception {
        Facts.await(count + " reports", () -> received.size() >= count);
    }

    private List<Long> sequences() {
        return received.stream().map(ExecutionReport::reportSequence).toList();
    }
}
