package io.sealbook.spring;

import io.sealbook.client.ConnectionReport;
import io.sealbook.client.ConnectionReport.Role;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * UP while f + 1 nodes are connected, f + 1 engines too if reports are followed, all listeners have handled what came,
 * and the last block is not too old. It takes up to a second for each endpoint that does not answer.
 */
final class BrokerHealthIndicator extends AbstractHealthIndicator {
    private final Supplier<ConnectionReport> connections;
    private final IntSupplier nodeCount;
    private final LongSupplier chainHeight;
    private final ReportDelivery delivery;
    private final BlockAge blockAge;
    private final Optional<Duration> blockAgeMax;

    /**
     * Makes an indicator; nothing is asked yet.
     *
     * @param connections the state of each endpoint
     * @param nodeCount of the chain, at least 1
     * @param chainHeight highest block that is known, -1 if none is
     * @param delivery of reports
     * @param blockAge age of the last block
     * @param blockAgeMax oldest block that is UP; empty for any
     */
    BrokerHealthIndicator(
            Supplier<ConnectionReport> connections,
            IntSupplier nodeCount,
            LongSupplier chainHeight,
            ReportDelivery delivery,
            BlockAge blockAge,
            Optional<Duration> blockAgeMax) {
        super("the broker's client could not be asked");
        this.connections = connections;
        this.nodeCount = nodeCount;
        this.chainHeight = chainHeight;
        this.delivery = delivery;
        this.blockAge = blockAge;
        this.blockAgeMax = blockAgeMax;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        ConnectionReport report = connections.get();
        int nodes = nodeCount.getAsInt();
        int needed = (nodes - 1) / 3 + 1;
        long gateways = connected(report, Role.GATEWAY);
        long engines = connected(report, Role.ENGINE);
        boolean followsReports = report.endpoints().stream().anyMatch(each -> each.role() == Role.ENGINE);
        // An application may trust one engine; then only one is asked.
        long enginesNeeded = Math.min(
                needed,
                report.endpoints().stream()
                        .filter(each -> each.role() == Role.ENGINE)
                        .count());
        Duration age = blockAge.get();
        boolean isUp = gateways >= needed
                && (!followsReports || engines >= enginesNeeded)
                && !delivery.isStopped()
                && blockAgeMax.filter(max -> age.compareTo(max) > 0).isEmpty();
        builder.status(isUp ? "UP" : "DOWN")
                .withDetail("nodes", nodes)
                .withDetail("connectedGateways", gateways)
                .withDetail("neededGateways", needed)
                .withDetail("chainHeight", chainHeight.getAsLong())
                .withDetail("lastBlockAge", age.toString());
        if (followsReports) {
            builder.withDetail("connectedEngines", engines).withDetail("neededEngines", enginesNeeded);
        }
        delivery.stopped()
                .ifPresent(stopped -> builder.withDetail(
                                "unhandledReport", stopped.unhandled().reportSequence())
                        .withException(stopped.cause()));
        delivery.lost()
                .ifPresent(lost ->
                        builder.withDetail("lostReport", lost.reportSequence()).withDetail("lostWhy", lost.why()));
        report.endpoints().stream()
                .filter(each -> !each.isConnected())
                .forEach(each -> builder.withDetail(
                        "node" + each.nodeId() + "." + each.role().name().toLowerCase(Locale.ROOT),
                        each.step() + (each.detail().isEmpty() ? "" : ": " + each.detail())));
    }

    private static long connected(ConnectionReport report, Role role) {
        return report.endpoints().stream()
                .filter(each -> each.role() == role && each.isConnected())
                .count();
    }
}
