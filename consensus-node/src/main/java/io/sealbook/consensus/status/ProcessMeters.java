package io.sealbook.consensus.status;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmHeapPressureMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.DiskSpaceMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.sealbook.vocabulary.ProductVersion;
import java.nio.file.Path;
import java.util.List;

/**
 * Meters of the process that a node runs in, under the names that the engine's framework gives them too: memory,
 * garbage collection, threads, processor, descriptors, time since start, the disk of the node's directory, and the
 * version of the build. Any thread.
 */
public final class ProcessMeters implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final JvmHeapPressureMetrics pressure = new JvmHeapPressureMetrics();

    /**
     * Adds the meters.
     *
     * @param registry that they are read from
     * @param directory whose disk is watched; exists
     */
    public ProcessMeters(MeterRegistry registry, Path directory) {
        List<MeterBinder> binders = List.of(
                collections,
                pressure,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics(),
                new DiskSpaceMetrics(directory.toFile()));
        binders.forEach(binder -> binder.bindTo(registry));
        Gauge.builder("sealbook.build.info", () -> 1)
                .description("Which version runs?")
                .tag("version", ProductVersion.text())
                .register(registry);
    }

    /** Stops listening to the garbage collector. */
    @Override
    public void close() {
        collections.close();
        pressure.close();
    }
}
