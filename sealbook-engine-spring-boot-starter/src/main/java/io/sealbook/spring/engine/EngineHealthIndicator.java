package io.sealbook.spring.engine;

import io.sealbook.engine.monitor.EngineMonitor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up while the engine executes new blocks, and no result of it is known to be wrong. A database that follows it has no
 * part in that: an engine without it goes on executing, and its lag is shown.
 */
final class EngineHealthIndicator implements HealthIndicator {
    private final EngineMonitor monitor;

    EngineHealthIndicator(EngineMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public Health health() {
        Health.Builder health = monitor.isExecuting() ? Health.up() : Health.down();
        health.withDetail("phase", monitor.phase())
                .withDetail("lastExecuted", monitor.lastExecuted())
                .withDetail("persistedBlock", monitor.persistedBlock());
        monitor.failure().ifPresent(failure -> health.withDetail("failure", EngineMonitor.reasonOf(failure)));
        monitor.obstacle().ifPresent(fact -> health.withDetail("obstacle", fact));
        monitor.wrongResult().ifPresent(fact -> health.withDetail("wrongResult", fact));
        monitor.databaseFailure()
                .ifPresent(failure -> health.withDetail("databaseFailure", EngineMonitor.reasonOf(failure)));
        return health.build();
    }
}
