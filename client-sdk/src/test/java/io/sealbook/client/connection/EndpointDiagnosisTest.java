package io.sealbook.client.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.sealbook.client.ConnectionReport.Role;
import io.sealbook.client.ConnectionReport.Step;
import io.sealbook.ports.HeldPort;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class EndpointDiagnosisTest {

    @Test
    void shouldNameAHostThatDoesNotResolve() {
        // RFC 6761, 6.4: a name in .invalid never does.
        EndpointDiagnosis diagnosis = new EndpointDiagnosis(new NodeAddress(1, Role.GATEWAY, "node1.invalid", 7112));
        diagnosis.failed(Status.UNAVAILABLE);

        assertThat(diagnosis.report().step()).isEqualTo(Step.DNS);
    }

    @Test
    void shouldNameAPortThatDoesNotAnswer() {
        try (HeldPort port = new HeldPort()) {
            EndpointDiagnosis diagnosis =
                    new EndpointDiagnosis(new NodeAddress(1, Role.GATEWAY, "127.0.0.1", port.number()));
            diagnosis.failed(Status.UNAVAILABLE);

            assertThat(diagnosis.report().step()).isEqualTo(Step.TCP);
        }
    }

    @Test
    void shouldNameTheServiceWhenThePortAnswers() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            EndpointDiagnosis diagnosis =
                    new EndpointDiagnosis(new NodeAddress(1, Role.ENGINE, "127.0.0.1", socket.getLocalPort()));
            diagnosis.failed(Status.UNIMPLEMENTED.withDescription("no such method"));

            assertThat(diagnosis.report().step()).isEqualTo(Step.GRPC);
            assertThat(diagnosis.report().detail()).contains("UNIMPLEMENTED").contains("no such method");
        }
    }

    @Test
    void shouldNameTheHandshakeAndTheIdentity() {
        EndpointDiagnosis diagnosis = new EndpointDiagnosis(new NodeAddress(1, Role.ENGINE, "127.0.0.1", 1));
        assertThat(diagnosis.report().step()).isEqualTo(Step.NONE);

        diagnosis.failed(Status.UNAVAILABLE.withCause(new SSLHandshakeException("unknown authority")));
        assertThat(diagnosis.report().step()).isEqualTo(Step.TLS);

        diagnosis.failedIdentity("node 2 answers");
        assertThat(diagnosis.report().step()).isEqualTo(Step.IDENTITY);

        diagnosis.connected();
        assertThat(diagnosis.report().isConnected()).isTrue();
    }
}
