package io.sealbook.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ConnectionReport.Endpoint;
import io.sealbook.client.ConnectionReport.Role;
import io.sealbook.client.ConnectionReport.Step;
import io.sealbook.protocol.sbe.ExecType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class BrokerHealthIndicatorTest {
    private final ReportDelivery delivery = new ReportDelivery(event -> {});
    private long height = 5;
    private long nowNs;
    private final BlockAge blockAge = new BlockAge(() -> height, () -> nowNs);

    @ParameterizedTest
    @CsvSource({
        "4, 2, 2, UP",
        "4, 1, 4, DOWN",
        "4, 4, 1, DOWN",
        "4, 4, 4, UP",
        "7, 3, 3, UP",
        "7, 2, 7, DOWN",
        "7, 7, 2, DOWN"
    })
    void shouldNeedOneNodeMoreThanMayBeFaulty(int nodes, int gateways, int engines, String status) {
        assertThat(health(endpoints(nodes, gateways, engines), nodes, Optional.empty())
                        .getStatus())
                .isEqualTo(new Status(status));
    }

    @Test
    void shouldNeedNoEngineIfNoReportsAreFollowed() {
        List<Endpoint> gateways = endpoints(4, 2, 0).subList(0, 4);

        assertThat(health(gateways, 4, Optional.empty()).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void shouldNameTheStepAtWhichAnEndpointFails() {
        Health health = health(endpoints(4, 3, 4), 4, Optional.empty());

        assertThat(health.getDetails())
                .containsEntry("node3.gateway", "TCP: refused")
                .containsEntry("chainHeight", 5L);
    }

    @Test
    void shouldBeDownAfterAListenerHasThrown() {
        delivery.open(List.of());
        delivery.onStopped(SampleReports.report(9, ExecType.NEW), new IllegalStateException("no room"));

        Health health = health(endpoints(4, 4, 4), 4, Optional.empty());

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("unhandledReport", 9L).containsKey("error");
    }

    @Test
    void shouldBeDownWhenEnginesDoNotKeepTheNextReport() {
        delivery.open(List.of());
        delivery.onLost(9, "node 1 keeps reports from 20 on");

        Health health = health(endpoints(4, 4, 4), 4, Optional.empty());

        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails()).containsEntry("lostReport", 9L).containsKey("lostWhy");
    }

    @Test
    void shouldBeDownWithoutABlockForTooLong() {
        Optional<Duration> max = Optional.of(Duration.ofSeconds(30));
        nowNs = Duration.ofSeconds(30).toNanos();
        assertThat(health(endpoints(4, 4, 4), 4, max).getStatus()).isEqualTo(Status.UP);
        nowNs++;
        assertThat(health(endpoints(4, 4, 4), 4, max).getStatus()).isEqualTo(Status.DOWN);
        height++;
        assertThat(health(endpoints(4, 4, 4), 4, max).getStatus()).isEqualTo(Status.UP);
    }

    private Health health(List<Endpoint> endpoints, int nodes, Optional<Duration> blockAgeMax) {
        return new BrokerHealthIndicator(
                        () -> new ConnectionReport(endpoints),
                        () -> nodes,
                        () -> height,
                        delivery,
                        blockAge,
                        blockAgeMax)
                .health();
    }

    /** Gateways first, then engines; of each the first ones are connected. */
    private static List<Endpoint> endpoints(int nodes, int gateways, int engines) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (Role role : Role.values()) {
            int connected = role == Role.GATEWAY ? gateways : engines;
            for (int node = 0; node < nodes; node++) {
                boolean isConnected = node < connected;
                endpoints.add(new Endpoint(
                        node,
                        role,
                        "localhost",
                        7_000 + node,
                        isConnected ? Step.CONNECTED : Step.TCP,
                        isConnected ? "" : "refused"));
            }
        }
        return endpoints;
    }
}
