package io.sealbook.perf.cluster;

import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.ExecType;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** How many reports of acceptance broker 1 of a cluster has, by ClOrdID. Any thread. */
final class Acceptances {
    private final Map<Long, Long> counts = new ConcurrentHashMap<>();

    /** Returns a client of the broker that counts what it hears from the first report on. */
    BrokerClient connect(LocalCluster cluster) throws IOException {
        return BrokerClient.builder()
                .directory(BrokerDirectory.read(cluster.directory().resolve("broker1")))
                .executionReports(this::count)
                .connect();
    }

    private void count(ExecutionReport report) {
        if (report.execType() == ExecType.NEW) {
            counts.merge(report.clOrdId(), 1L, Long::sum);
        }
    }

    Map<Long, Long> counts() {
        return counts;
    }

    /**
     * Returns the reports that a new client hears.
     *
     * @param cluster has executed the orders
     * @param orders that have reports at least
     */
    static Map<Long, Long> of(LocalCluster cluster, long orders) throws Exception {
        Acceptances heard = new Acceptances();
        try (BrokerClient client = heard.connect(cluster)) {
            Facts.await(() -> heard.counts.size() + " of " + orders + " orders", () -> heard.counts.size() >= orders);
        }
        return heard.counts;
    }

    /** Returns one for each order from 1 to the last. */
    static Map<Long, Long> eachOnce(long last) {
        return LongStream.rangeClosed(1, last).boxed().collect(Collectors.toMap(id -> id, id -> 1L));
    }
}
