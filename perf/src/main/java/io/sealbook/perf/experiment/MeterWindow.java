package io.sealbook.perf.experiment;

import io.sealbook.perf.cluster.MeterReadings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Reads the meters of all nodes at both ends of a run's middle third, beside the load. */
final class MeterWindow implements AutoCloseable {
    private final HttpClient client;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "meters");
        created.setDaemon(true);
        return created;
    });
    private final List<URI> nodes;
    private final ScheduledFuture<List<MeterReadings>> before;
    private final ScheduledFuture<List<MeterReadings>> after;

    /**
     * Begins with the run.
     *
     * @param client connects to them; closed with this object
     * @param nodes addresses of their metrics
     * @param durationNs of the run
     */
    MeterWindow(HttpClient client, List<URI> nodes, long durationNs) {
        this.client = client;
        this.nodes = List.copyOf(nodes);
        before = thread.schedule(this::readAll, durationNs / 3, TimeUnit.NANOSECONDS);
        after = thread.schedule(this::readAll, 2 * durationNs / 3, TimeUnit.NANOSECONDS);
    }

    private List<MeterReadings> readAll() throws IOException, InterruptedException {
        MeterReadings[] readings = new MeterReadings[nodes.size()];
        for (int i = 0; i < readings.length; i++) {
            readings[i] = MeterReadings.scrape(client, nodes.get(i));
        }
        return List.of(readings);
    }

    /**
     * Returns the lives of the blocks between the readings, in the node that was primary at the second one.
     *
     * @throws IOException if a node did not answer
     */
    BlockPhases phases() throws IOException, InterruptedException {
        try {
            List<MeterReadings> ends = after.get();
            int primary = (int) ends.get(0).of("sealbook_node_primary");
            return BlockPhases.between(before.get().get(primary), ends.get(primary));
        } catch (ExecutionException e) {
            throw new IOException("meters: " + e.getCause().getMessage(), e.getCause());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        client.close();
    }
}
