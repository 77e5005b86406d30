package io.sealbook.engine;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.sealbook.engine.monitor.EngineMonitor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** The database's figures, absent where it is off: an alert on them must not fire where no database is wanted. */
@Component
@ConditionalOnProperty(name = "sealbook.engine.database.enabled", matchIfMissing = true)
class DatabaseMetrics implements MeterBinder {
    private final EngineMonitor monitor;

    DatabaseMetrics(EngineMonitor monitor) {
        this.monitor = monitor;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("sealbook.engine.database.lag.blocks", monitor, DatabaseMetrics::lagBlocks)
                .description("How many executed blocks does the database lack?")
                .register(registry);
    }

    private static long lagBlocks(EngineMonitor monitor) {
        return Math.max(0, monitor.lastExecuted() - monitor.persistedBlock());
    }
}
