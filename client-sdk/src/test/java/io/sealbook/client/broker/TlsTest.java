package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ChannelCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.sealbook.client.ChannelFactory;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestAuthority;
import io.sealbook.client.cluster.TestCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Both sides show a certificate of the same authority; the client needs nothing but another channel factory. */
@Timeout(300)
class TlsTest {
    private final TestAuthority authority = TestAuthority.create("cluster");

    @Test
    void shouldTradeOverMutualTls() throws Exception {
        try (TestCluster cluster = new TestCluster(serverCredentials());
                BrokerClient client = cluster.client()
                        .channels(ChannelFactory.with(clientCredentials(authority)))
                        .executionReports(report -> {})
                        .connect()) {
            Receipt receipt = client.submit(ClusterTest.order(1)).get(ClusterTest.AWAIT_LIMIT_S, TimeUnit.SECONDS);

            assertThat(receipt.blockSequence()).isEqualTo(1);
        }
    }

    @Test
    void shouldNameTheStepWhenCertificatesAreNotTrusted() throws Exception {
        TestAuthority stranger = TestAuthority.create("stranger");
        try (TestCluster cluster = new TestCluster(serverCredentials())) {
            ChannelFactory channels = ChannelFactory.with(clientCredentials(stranger));

            ConnectionReport report =
                    ClusterTest.awaitConnectFailure(cluster.client().channels(channels));

            assertThat(report.endpoints()).allMatch(each -> each.step() == ConnectionReport.Step.TLS);
        }
    }

    private ServerCredentials serverCredentials() throws IOException {
        TestAuthority.Identity node = authority.issue("127.0.0.1");
        return TlsServerCredentials.newBuilder()
                .keyManager(node.certificate(), node.privateKey())
                .trustManager(authority.certificate())
                .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
                .build();
    }

    private static ChannelCredentials clientCredentials(TestAuthority authority) throws IOException {
        TestAuthority.Identity broker = authority.issue("broker1");
        return TlsChannelCredentials.newBuilder()
                .keyManager(broker.certificate(), broker.privateKey())
                .trustManager(authority.certificate())
                .build();
    }
}
