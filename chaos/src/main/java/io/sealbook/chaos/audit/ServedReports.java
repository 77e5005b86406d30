package io.sealbook.chaos.audit;

import io.grpc.Context;
import io.grpc.Context.CancellableContext;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.sealbook.chaos.history.Findings;
import io.sealbook.chaos.history.Violation.Rule;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.codec.ExecutionReportDecoder;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.Node;
import io.sealbook.protocol.v1.ReportFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * Holds the reports that each engine serves against those that f + 1 engines agree on: a client that takes the latter
 * never sees that the files of one engine have lost or changed a report.
 */
public final class ServedReports {
    private ServedReports() {}

    /**
     * Reads all reports of all brokers from each engine.
     *
     * @param nodes of the cluster, whose engines have executed the same blocks
     * @param agreed reports by broker, from the first on
     * @param timeout longest wait for all together
     * @param findings takes what an engine serves otherwise
     */
    public static void compare(
            List<Node> nodes, Map<Integer, List<ExecutionReport>> agreed, Duration timeout, Findings findings)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        for (Node node : nodes) {
            ManagedChannel channel = Grpc.newChannelBuilderForAddress(
                            node.getHost(), node.getEnginePort(), InsecureChannelCredentials.create())
                    .build();
            try {
                for (Map.Entry<Integer, List<ExecutionReport>> broker : agreed.entrySet()) {
                    difference(channel, broker.getKey(), broker.getValue(), deadlineNs)
                            .ifPresent(fact -> findings.add(
                                    Rule.SAME_EVERYWHERE,
                                    "engine " + node.getNodeId() + ", reports of broker " + broker.getKey() + ": "
                                            + fact));
                }
            } finally {
                channel.shutdownNow().awaitTermination(1, TimeUnit.SECONDS);
            }
        }
    }

    private static Optional<String> difference(
            ManagedChannel channel, int brokerId, List<ExecutionReport> agreed, long deadlineNs) {
        CancellableContext call = Context.current().withCancellation();
        Callable<Optional<String>> reading = () -> difference(
                agreed,
                ExecutionReportsGrpc.newBlockingStub(channel)
                        .withWaitForReady()
                        .withDeadlineAfter(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS)
                        .follow(FollowReportsRequest.newBuilder()
                                .setBrokerId(brokerId)
                                .setFromSequence(1)
                                .build()));
        try {
            return call.call(reading);
        } catch (StatusRuntimeException e) {
            return Optional.of(e.getMessage());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            // The stream goes on with what is new, for ever.
            call.cancel(null);
        }
    }

    /**
     * Returns the first difference; empty if there is none.
     *
     * @param agreed reports of one broker
     * @param served by an engine; read as far as there are agreed ones
     */
    static Optional<String> difference(List<ExecutionReport> agreed, Iterator<ReportFrame> served) {
        int count = 0;
        while (count < agreed.size()) {
            if (!served.hasNext()) {
                return Optional.of(count + " are served, " + agreed.size() + " are agreed on");
            }
            ByteBuffer reports =
                    ByteBuffer.wrap(served.next().getReports().toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
            int offset = 0;
            while (offset < reports.limit() && count < agreed.size()) {
                ExecutionReport report = ExecutionReportDecoder.decode(reports, offset);
                if (!report.equals(agreed.get(count))) {
                    return Optional.of("served " + report + ", agreed on " + agreed.get(count));
                }
                offset += ExecutionReportDecoder.length(reports, offset);
                count++;
            }
        }
        return Optional.empty();
    }
}
