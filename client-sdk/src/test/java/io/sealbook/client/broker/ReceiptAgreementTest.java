package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Design section 3, stage 10: a receipt counts when f+1 nodes agree. */
class ReceiptAgreementTest extends ClusterTest {

    @Test
    void shouldNotBelieveANodeWithAnotherBlockHash() throws Exception {
        cluster.receipts(0, TestNode.Receipts.WRONG_HASH);
        try (BrokerClient client = cluster.client().connect()) {
            for (long id = 1; id <= 20; id++) {
                Receipt receipt = await(client.submit(order(id)));

                assertThat(receipt.blockHash()).isNotEqualTo(new byte[32]);
                assertThat(receipt.agreeingNodes()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldNotBelieveOneNodeAlone() throws Exception {
        for (int node : new int[] {0, 2, 3}) {
            cluster.receipts(node, TestNode.Receipts.SILENT);
        }
        try (BrokerClient client = impatient().connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("executed", () -> cluster.executed().size() == 1);
            Facts.await("a resubmission", () -> client.metrics().resubmitted() > 0);

            assertThat(future).isNotDone();
            assertThat(cluster.executed()).containsExactly(1L);
        }
    }

    @Test
    void shouldCountANodeOnceHoweverOftenItSpeaks() throws Exception {
        for (int node : new int[] {0, 2, 3}) {
            cluster.receipts(node, TestNode.Receipts.SILENT);
        }
        cluster.receipts(HOME, TestNode.Receipts.TWICE);
        try (BrokerClient client = impatient().connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("a resubmission", () -> client.metrics().resubmitted() > 0);

            assertThat(future).isNotDone();
        }
    }

    @Test
    void shouldNotCountANodeThatSpeaksAsAnother() throws Exception {
        cluster.receipts(2, TestNode.Receipts.SILENT);
        cluster.receipts(3, TestNode.Receipts.SILENT);
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
            cluster.claimsNode(0, 3);

            CompletableFuture<Receipt> future = client.submit(order(2));
            Facts.await("receipts ignored", () -> client.metrics().receiptsIgnored() > 0);

            assertThat(future).isNotDone();
            assertThat(client.connectionReport().endpoints())
                    .filteredOn(each -> each.nodeId() == 0)
                    .first()
                    .satisfies(each -> assertThat(each.step())
                            .isIn(ConnectionReport.Step.IDENTITY, ConnectionReport.Step.CONNECTED));
        }
    }

    @Test
    void shouldFinishWithASilentAndALaggingNode() throws Exception {
        cluster.receipts(0, TestNode.Receipts.SILENT);
        try (BrokerClient client = cluster.client().connect()) {
            cluster.kill(3);

            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= 50; id++) {
                receipts.add(client.submit(order(id)));
            }
            awaitAll(receipts);

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, 50));
        }
    }

    @Test
    void shouldTakeUpReceiptsWhereTheyBrokeOff() throws Exception {
        cluster.receipts(2, TestNode.Receipts.SILENT);
        cluster.receipts(3, TestNode.Receipts.SILENT);
        cluster.committing(false);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("sent", () -> !cluster.submissions().isEmpty());
            Facts.await("followed", () -> !cluster.receiptsFrom(0).isEmpty());
            cluster.kill(0);
            cluster.commit(3);
            assertThat(future).isNotDone();

            cluster.restart(0);

            assertThat(await(future).blockSequence()).isEqualTo(1);
            assertThat(cluster.receiptsFrom(0)).hasSizeGreaterThanOrEqualTo(2).allMatch(from -> from == 1);
        }
    }
}
