package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.crypto.SignatureScheme;
import io.sealbook.crypto.Signers;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes listen elsewhere than the client's genesis file says. */
class MovedNodesTest {
    private final TestCluster cluster = new TestCluster();
    private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void shouldFindAllNodesThroughTheOnlyOneThatIsWhereItWas() throws Exception {
        cluster.move(0);
        cluster.move(1);
        cluster.move(2);

        try (BrokerClient client =
                cluster.client().executionReports(reports::add).connect()) {
            submit(client, 11);
            Facts.await("reports of the moved engines", () -> reports.size() == 1);
            Facts.await("all connected", () -> isConnectedToAll(client));
        }
    }

    @Test
    void shouldFollowEachNodeThatMoves() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(reports::add).connect()) {
            submit(client, 11);
            for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
                cluster.move(node);
                Facts.await("all connected", () -> isConnectedToAll(client));
            }
            submit(client, 12);
            Facts.await("reports of the moved engines", () -> reports.size() == 2);
        }
        assertThat(cluster.executed()).containsExactly(11L, 12L);
    }

    @Test
    void shouldGoToTheMachineThatReplacesANode() throws Exception {
        try (BrokerClient client =
                cluster.client().executionReports(reports::add).connect()) {
            cluster.replace(1);
            Facts.await("all connected", () -> isConnectedToAll(client));
            submit(client, 11);
        }

        cluster.move(0);
        try (BrokerClient client = cluster.client().connect()) {
            Facts.await("all connected", () -> isConnectedToAll(client));
            submit(client, 12);
        }
    }

    @Test
    void shouldNotBeLedAwayByANode() throws Exception {
        var stranger = Signers.generate(SignatureScheme.SM2_SM3);
        cluster.claimEndpoints(
                3,
                cluster.record(3, 7, stranger),
                cluster.record(0, 8, stranger).toBuilder()
                        .setStatement(cluster.record(0, 8, cluster.identity(0)).getStatement())
                        .build());

        try (BrokerClient client = cluster.client().connect()) {
            Facts.await("asked", () -> cluster.endpointsAsked(3) > 0);
            submit(client, 11);
            ConnectionReport report = client.connectionReport();
            assertThat(report.endpoints())
                    .extracting(ConnectionReport.Endpoint::port)
                    .containsExactly(cluster.genesis().genesis().getNodesList().stream()
                            .map(node -> node.getGatewayPort())
                            .toArray(Integer[]::new));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"node_0", "<"})
    void shouldOutliveAHostToWhichNoChannelCanBeBuilt(String host) throws Exception {
        cluster.move(2);
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            cluster.claimEndpoints(node, cluster.recordAt(3, 7, host), cluster.record(2, 8, cluster.identity(2)));
        }

        try (BrokerClient client =
                cluster.client().executionReports(reports::add).connect()) {
            Facts.await("all connected", () -> isConnectedToAll(client));
            submit(client, 11);
            Facts.await("reports", () -> reports.size() == 1);
        }
    }

    @Test
    void shouldTakeNewTermsThatNameSuchAHost() throws Exception {
        cluster.change(terms -> terms.setNodes(3, terms.getNodes(3).toBuilder().setHost("node_0")));

        try (BrokerClient client =
                cluster.client().executionReports(reports::add).connect()) {
            submit(client, 11);
            cluster.change(terms ->
                    terms.setInstruments(0, terms.getInstruments(0).toBuilder().setSymbol("NEW")));
            Facts.await(
                    "new terms",
                    () -> client.terms().getInstruments(0).getSymbol().equals("NEW"));
            submit(client, 12);
            Facts.await("reports", () -> reports.size() == 2);
        }
    }

    @Test
    void shouldFreeTheOutboxIfNoChannelCanBeMade(@TempDir Path outbox) throws Exception {
        assertThatThrownBy(() -> cluster.client()
                        .outbox(outbox)
                        .channels((nodeId, role, host, port) -> {
                            throw new IllegalStateException("no transport");
                        })
                        .connect())
                .hasMessage("no transport");

        try (BrokerClient client = cluster.client().outbox(outbox).connect()) {
            submit(client, 11);
        }
    }

    private static boolean isConnectedToAll(BrokerClient client) {
        return client.connectionReport().endpoints().stream().allMatch(ConnectionReport.Endpoint::isConnected);
    }

    private static void submit(BrokerClient client, long clOrdId) throws Exception {
        Receipt receipt =
                client.submit(Order.limit(clOrdId, 1, 1, Side.BUY, 100, 10)).get(2, TimeUnit.MINUTES);
        assertThat(receipt).isNotNull();
    }
}
