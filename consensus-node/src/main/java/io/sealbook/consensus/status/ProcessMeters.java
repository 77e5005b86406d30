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
import io.sealbook.commandline.FailureText;
import io.sealbook.consensus.config.DistinctDisks;
import io.sealbook.vocabulary.ProductVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Meters of the process that a node runs in, under the names that the engine's framework gives them too: memory,
 * garbage collection, threads, processor, descriptors, time since start, the disks of the node's directories, and the
 * version of the build. Any thread.
 */
public final class ProcessMeters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessMeters.class);

    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final JvmHeapPressureMetrics pressure = new JvmHeapPressureMetrics();

    /**
     * Adds the meters.
     *
     * @param registry that they are read from
     * @param directories whose disks are watched, one meter per disk; the first one exists, and the others are below it
     *     if they do not
     */
    public ProcessMeters(MeterRegistry registry, List<Path> directories) {
        this(registry, directories, Files::getFileStore);
    }

    ProcessMeters(MeterRegistry registry, List<Path> directories, DistinctDisks.DiskOf diskOf) {
        List<MeterBinder> binders = new ArrayList<>(List.of(
                collections,
                pressure,
                new JvmMemoryMetrics(),
                new JvmThreadMetrics(),
                new ProcessorMetrics(),
                new FileDescriptorMetrics(),
                new UptimeMetrics()));
        onDistinctDisks(directories, diskOf)
                .forEach(directory -> binders.add(new DiskSpaceMetrics(directory.toFile())));
        binders.forEach(binder -> binder.bindTo(registry));
        Gauge.builder("sealbook.build.info", () -> 1)
                .description("Which version runs?")
                .tag("version", ProductVersion.text())
                .register(registry);
    }

    private static List<Path> onDistinctDisks(List<Path> directories, DistinctDisks.DiskOf diskOf) {
        List<String> unknown = new ArrayList<>();
        List<Path> distinct = DistinctDisks.of(
                directories, diskOf, (directory, e) -> unknown.add(directory + " (" + FailureText.of(e) + ")"));
        if (!unknown.isEmpty()) {
            LOG.info("the system does not say on which disks these are; each has meters of its own: {}", unknown);
        }
        return distinct;
    }

    /** Stops listening to the garbage collector. */
    @Override
    public void close() {
        collections.close();
        pressure.close();
    }
}
