package io.sealbook.chaos.audit;

import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.BrokerClientException;
import io.sealbook.client.BrokerDirectory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.broker.BrokerClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the reports of all brokers from the first one on, each agreed on by f + 1 engines. */
public final class ReportCollector {
    /** No program sends in it: it is free, whatever became of those that send. */
    private static final int READERS_SESSION = 1;

    private ReportCollector() {}

    /**
     * Reads until there are as many reports as the engines have made, or the time has passed.
     *
     * @param cluster directory with the brokers' directories
     * @param brokers their ids
     * @param expected reports of all brokers together, as the engines count them
     * @param timeout longest wait
     * @param findings takes the failure to connect
     * @return the reports of each broker, by its id, in the order in which they came; none if one cannot connect
     */
    public static Map<Integer, List<ExecutionReport>> collect(
            Path cluster, List<Integer> brokers, long expected, Duration timeout, Findings findings)
            throws IOException, InterruptedException {
        Map<Integer, List<ExecutionReport>> reports = new TreeMap<>();
        List<BrokerClient> clients = new ArrayList<>();
        try {
            for (int broker : brokers) {
                List<ExecutionReport> ofBroker = Collections.synchronizedList(new ArrayList<>());
                reports.put(broker, ofBroker);
                clients.add(BrokerClient.builder()
                        .directory(BrokerDirectory.read(cluster.resolve("broker" + broker)))
                        .session(READERS_SESSION)
                        .connectTimeout(timeout)
                        .reportsFrom(1)
                        .executionReports(ofBroker::add)
                        .connect());
            }
            long deadlineNs = System.nanoTime() + timeout.toNanos();
            while (count(reports) < expected && System.nanoTime() < deadlineNs) {
                Thread.sleep(20);
            }
        } catch (BrokerClientException e) {
            findings.add(Rule.LIVENESS, "the reports cannot be read: " + e.getMessage());
            return Map.of();
        } finally {
            clients.forEach(BrokerClient::close);
        }
        return reports;
    }

    private static long count(Map<Integer, List<ExecutionReport>> reports) {
        return reports.values().stream().mapToLong(List::size).sum();
    }
}
