package io.sealbook.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.docker.ContainerProcess.Host;
import io.sealbook.docker.Queries.Query;
import io.sealbook.docker.Queries.Selector;
import io.sealbook.facts.Facts;
import io.sealbook.ports.PortBlock;
import io.sealbook.tls.TlsIdentity;
import io.sealbook.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The compose file's own commands on the built jars, without a container engine. */
class ContainersAsProcessesIT {
    private static final int PORTS = 50;
    private static final long HEALTH_TIMEOUT_S = 60;
    private static final long STOP_TIMEOUT_S = 30;
    /** A series that Prometheus itself writes. */
    private static final String UP = "up";

    @TempDir
    Path volume;

    private final Compose compose = Compose.read();
    private final List<ContainerProcess> services = new ArrayList<>();
    private HttpClient http;

    @AfterEach
    void end() {
        services.forEach(ContainerProcess::close);
    }

    @Test
    @Timeout(600)
    void shouldRunTheCommandsServeEveryMetricAndStop() throws Exception {
        // Leased until this process ends.
        Host host = new Host(volume, PortBlock.take(PORTS).base());
        for (String service : compose.names()) {
            if (service.matches("testnet|(node|engine|follower|follower-engine)\\d")) {
                compose.dockerfile(service)
                        .copied()
                        .values()
                        .forEach(jar -> assertThat(Repository.ROOT.resolve(jar)).exists());
                services.add(new ContainerProcess(service, compose, host));
            }
        }

        ContainerProcess testnet = services.removeFirst();
        testnet.start();
        assertThat(testnet.await(60)).as(testnet.logTail()).isZero();
        http = HttpClient.newBuilder()
                .sslContext(TlsIdentity.open(TlsSettings.ofFilesIn(volume.resolve("operator/tls")))
                        .context())
                .connectTimeout(Duration.ofSeconds(5))
                .build();
        for (ContainerProcess service : services) {
            service.start();
        }
        for (ScrapeTargets.Target target : ScrapeTargets.read()) {
            awaitMetrics(target, host);
        }
        for (ContainerProcess service : services) {
            awaitHealthy(service);
        }

        services.forEach(ContainerProcess::terminate);
        for (ContainerProcess service : services) {
            assertThat(service.awaitEnd(STOP_TIMEOUT_S))
                    .as("%s stops on SIGTERM\n%s", service.name(), service.logTail())
                    .isTrue();
        }
    }

    /** Waits until a target has every series that dashboard and alerts select of its job. */
    private void awaitMetrics(ScrapeTargets.Target target, Host host) throws Exception {
        Set<Selector> selectors = new LinkedHashSet<>();
        for (List<Query> queries : List.of(Queries.ofDashboard(), Queries.ofAlerts())) {
            for (Query query : queries) {
                query.selectors().stream()
                        .filter(selector -> selector.isExpectedOf(target.job()))
                        .filter(selector -> !selector.metric().equals(UP))
                        .forEach(selectors::add);
            }
        }
        assertThat(selectors).isNotEmpty();
        List<Selector> missing = new ArrayList<>(selectors);
        Facts.await(() -> "metrics " + missing + " of " + target + "\n" + logTails(target), () -> {
            services.forEach(ContainerProcess::checkRuns);
            Metrics metrics = scrape("https://127.0.0.1:" + host.port(target.port()) + target.path());
            missing.clear();
            selectors.stream().filter(selector -> !metrics.has(selector)).forEach(missing::add);
            return missing.isEmpty();
        });
    }

    private List<String> logTails(ScrapeTargets.Target target) {
        return services.stream()
                .filter(service -> service.name().endsWith(target.node()))
                .map(ContainerProcess::logTail)
                .toList();
    }

    /** Returns the metrics of an address; none while no process answers there. */
    private Metrics scrape(String address) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                    .timeout(Duration.ofSeconds(10))
                    .build();
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Metrics.parse(response.body()) : new Metrics(List.of());
        } catch (IOException e) {
            // Not up yet; the caller asks again until its deadline.
            return new Metrics(List.of());
        }
    }

    private void awaitHealthy(ContainerProcess service) throws Exception {
        Facts.await(() -> "a good health check of " + service.name() + "\n" + service.healthLogTail(), () -> {
            service.checkRuns();
            return service.health(HEALTH_TIMEOUT_S) == 0;
        });
    }
}
