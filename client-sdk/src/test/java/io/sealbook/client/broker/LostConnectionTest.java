package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ChannelFactory;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.ReportAgreement;
import io.sealbook.client.cluster.LossyProxy;
import io.sealbook.facts.Facts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A network loses connections without a word to either side. */
class LostConnectionTest extends ClusterTest {
    private final List<ExecutionReport> reports = new CopyOnWriteArrayList<>();

    /** Takes as long as a connection may be silent. */
    @Test
    void shouldGetReportsAfterTheNetworkHasLostTheirConnection() throws Exception {
        try (LossyProxy proxy = new LossyProxy(enginePort());
                BrokerClient client = cluster.client()
                        .channels(through(proxy))
                        .executionReports(reports::add)
                        .reportAgreement(ReportAgreement.trusting(HOME))
                        .connect()) {
            await(client.submit(order(1)));
            Facts.await("the first report", () -> reports.size() == 1);
            proxy.lose();

            await(client.submit(order(2)));

            Facts.await("the second report", () -> reports.size() == 2);
            assertThat(client.metrics().reconnects()).isPositive();
        }
    }

    private int enginePort() {
        return cluster.genesis().genesis().getNodes(HOME).getEnginePort();
    }

    /** Connects to the engine at home through the proxy, to all else straight. */
    private static ChannelFactory through(LossyProxy proxy) {
        ChannelFactory straight = ChannelFactory.plaintext();
        return (nodeId, role, host, port) -> straight.open(
                nodeId, role, host, nodeId == HOME && role == ConnectionReport.Role.ENGINE ? proxy.port() : port);
    }
}
