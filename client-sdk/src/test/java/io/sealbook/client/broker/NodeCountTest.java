package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Receipt;
import io.sealbook.client.ReportAgreement;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Nodes are added and removed: those count that the chain has at present, and f follows their number. */
class NodeCountTest extends ClusterTest {
    private static final int FIRST_ADDED = 4;

    private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();

    private BrokerClientBuilder listening() {
        return cluster.client().executionReports(reports::add);
    }

    private void add(int count) {
        for (int i = 0; i < count; i++) {
            cluster.add();
        }
    }

    private static void awaitConnected(BrokerClient client, int endpoints) throws Exception {
        Facts.await(endpoints + " endpoints connected", () -> {
            List<ConnectionReport.Endpoint> all = client.connectionReport().endpoints();
            return all.size() == endpoints && all.stream().allMatch(ConnectionReport.Endpoint::isConnected);
        });
    }

    private void awaitReports(int count) throws Exception {
        Facts.await(count + " reports", () -> reports.size() >= count);
    }

    /** Has nodes say nothing about commits, and their engines nothing about reports. */
    private void silence(int... nodes) {
        for (int node : nodes) {
            cluster.receipts(node, TestNode.Receipts.SILENT);
            cluster.reports(node, TestNode.Reports.SILENT);
        }
    }

    @Test
    void shouldBelieveAddedNodes() throws Exception {
        try (BrokerClient client = listening().connect()) {
            add(3);
            awaitConnected(client, 14);
            silence(0, 1, 2, 3);

            Receipt receipt = await(client.submit(order(1)));

            assertThat(receipt.agreeingNodes()).isEqualTo(3);
            awaitReports(1);
        }
    }

    @Test
    void shouldNotBelieveAsManyAsMayLieAmongMoreNodes() throws Exception {
        try (BrokerClient client = listening().connect()) {
            add(3);
            awaitConnected(client, 14);
            silence(2, 3, 4, 5, 6);
            for (int liar : new int[] {0, 1}) {
                cluster.receipts(liar, TestNode.Receipts.WRONG_HASH);
                cluster.reports(liar, TestNode.Reports.WRONG_BYTES);
            }
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("executed", () -> cluster.executed().size() == 1);

            for (int node : new int[] {2, 3, 4}) {
                cluster.kill(node);
                cluster.receipts(node, TestNode.Receipts.TRUE);
                cluster.reports(node, TestNode.Reports.TRUE);
                assertThat(future).isNotDone();
                cluster.restart(node);
            }

            assertThat(await(future).blockHash()).isNotEqualTo(new byte[32]);
            awaitReports(1);
            assertThat(reports).extracting(ExecutionReport::price).containsOnly(100L);
        }
    }

    @Test
    void shouldCountWithFewerNodesAfterNodesHaveLeft() throws Exception {
        add(3);
        try (BrokerClient client = listening().connect()) {
            awaitConnected(client, 14);
            for (int i = 0; i < 3; i++) {
                cluster.removeLast();
            }
            awaitConnected(client, 8);
            silence(0, 1);

            assertThat(await(client.submit(order(1))).agreeingNodes()).isEqualTo(2);
            awaitReports(1);
        }
    }

    @Test
    void shouldForgetWhatARemovedNodeSaid() throws Exception {
        add(1);
        try (BrokerClient client = listening().connect()) {
            awaitConnected(client, 10);
            silence(0, 1, 2, 3);
            cluster.receipts(FIRST_ADDED, TestNode.Receipts.WRONG_HASH);
            cluster.reports(FIRST_ADDED, TestNode.Reports.WRONG_BYTES);
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("executed", () -> cluster.executed().size() == 1);
            cluster.removeLast();
            awaitConnected(client, 8);

            speakAgain(3, TestNode.Receipts.WRONG_HASH, TestNode.Reports.WRONG_BYTES);
            speakAgain(0, TestNode.Receipts.TRUE, TestNode.Reports.TRUE);
            speakAgain(2, TestNode.Receipts.TRUE, TestNode.Reports.TRUE);

            assertThat(await(future).blockHash()).isNotEqualTo(new byte[32]);
            awaitReports(1);
            assertThat(reports).extracting(ExecutionReport::price).containsOnly(100L);
        }
    }

    @Test
    void shouldForgetWhatTheFormerMachineOfANodeSaid() throws Exception {
        try (BrokerClient client = listening().connect()) {
            awaitConnected(client, 8);
            silence(0, 1, 3);
            cluster.receipts(2, TestNode.Receipts.WRONG_HASH);
            cluster.reports(2, TestNode.Reports.WRONG_BYTES);
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("executed", () -> cluster.executed().size() == 1);
            silence(2);
            int asked = cluster.receiptsFrom(2).size();
            cluster.replace(2);
            Facts.await(
                    "receipts of the new machine", () -> cluster.receiptsFrom(2).size() > asked);

            speakAgain(3, TestNode.Receipts.WRONG_HASH, TestNode.Reports.WRONG_BYTES);
            speakAgain(0, TestNode.Receipts.TRUE, TestNode.Reports.TRUE);
            speakAgain(1, TestNode.Receipts.TRUE, TestNode.Reports.TRUE);

            assertThat(await(future).blockHash()).isNotEqualTo(new byte[32]);
            awaitReports(1);
            assertThat(reports).extracting(ExecutionReport::price).containsOnly(100L);
        }
    }

    /** Has a node say what it kept for itself, and waits until the client has it. */
    private void speakAgain(int node, TestNode.Receipts receipts, TestNode.Reports sent) throws Exception {
        cluster.kill(node);
        cluster.receipts(node, receipts);
        cluster.reports(node, sent);
        int asked = cluster.receiptsFrom(node).size();
        int followed = cluster.reportsFrom(node).size();
        cluster.restart(node);
        Facts.await(
                "node " + node + " is heard",
                () -> cluster.receiptsFrom(node).size() > asked
                        && cluster.reportsFrom(node).size() > followed);
    }

    @Test
    void shouldLeaveItsHomeWithTheNode() throws Exception {
        add(1);
        cluster.submits(FIRST_ADDED, TestNode.Submits.SILENT);
        try (BrokerClient client = cluster.client().homeNode(FIRST_ADDED).connect()) {
            awaitConnected(client, 5);
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await(
                    "sent to its home",
                    () -> cluster.submissions().stream().anyMatch(submission -> submission.nodeId() == FIRST_ADDED));

            cluster.removeLast();

            assertThat(await(future)).isNotNull();
            assertThat(await(client.submit(order(2)))).isNotNull();
        }
        assertThat(cluster.executed()).containsExactly(1L, 2L);
    }

    @Test
    void shouldTakeReportsOfAnotherEngineWhenTheSenderLeaves() throws Exception {
        add(1);
        for (int node = 0; node < FIRST_ADDED; node++) {
            cluster.reports(node, TestNode.Reports.DIGESTS_ONLY);
        }
        // A machine that stands still must not look like a sender that does.
        try (BrokerClient client =
                listening().reportPatience(Duration.ofMinutes(5)).connect()) {
            awaitConnected(client, 10);
            await(client.submit(order(1)));
            awaitReports(1);
            assertThat(cluster.sentReportsFrom(FIRST_ADDED)).isNotEmpty();
            for (int node = 0; node < FIRST_ADDED; node++) {
                cluster.reports(node, TestNode.Reports.TRUE);
            }

            cluster.removeLast();
            awaitConnected(client, 8);
            await(client.submit(order(2)));

            awaitReports(2);
        }
    }

    @Test
    void shouldBeginWithNewReportsOfMoreNodesThanTheGenesisFileHas() throws Exception {
        add(3);
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
        }
        try (BrokerClient client = listening().reportsFromNow().connect()) {
            awaitConnected(client, 14);
            await(client.submit(order(2)));
            awaitReports(1);
        }
        assertThat(reports).extracting(ExecutionReport::clOrdId).containsExactly(2L);
    }

    @Test
    void shouldTrustTheEngineOfAnAddedNode() throws Exception {
        add(1);
        try (BrokerClient client = listening()
                .reportAgreement(ReportAgreement.trusting(FIRST_ADDED))
                .connect()) {
            awaitConnected(client, 6);
            silence(0, 1);
            await(client.submit(order(1)));
            awaitReports(1);
        }
    }
}
