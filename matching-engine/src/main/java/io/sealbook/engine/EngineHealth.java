package io.sealbook.engine;

import io.sealbook.engine.monitor.EngineMonitor;
import io.sealbook.engine.monitor.EnginePhase;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Up while the engine executes new blocks; part of the readiness group. The database is not: an engine without it goes
 * on executing, and its lag is shown.
 */
@Component("engine")
class EngineHealth implements HealthIndicator {
    private final EngineMonitor monitor;

    EngineHealth(EngineMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public Health health() {
        Health.Builder health = monitor.phase() == EnginePhase.TAILING ? Health.up() : Health.down();
        health.withDetail("phase", monitor.phase())
                .withDetail("lastExecuted", monitor.lastExecuted())
                .withDetail("persistedBlock", monitor.persistedBlock());
        monitor.failure().ifPresent(failure -> health.withDetail("failure", String.valueOf(failure.getMessage())));
        monitor.databaseFailure()
                .ifPresent(failure -> health.withDetail("databaseFailure", String.valueOf(failure.getMessage())));
        return health.build();
    }
}
