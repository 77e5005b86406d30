package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.fixture.ReluctantClient;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.engine.setup.EngineTls;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.ReportFrame;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ReportFollowerTest {
    private static final int BROKER = 2;

    @TempDir
    Path directory;

    private final TestFlow flow = new TestFlow(31);

    @Test
    void shouldCutSlowFollowerAndResumeWhereItStopped() throws Exception {
        try (Served served = new Served(1, "lag-max", "500", "frame-reports-max", "64")) {
            ReportStore store = served.engine.reports.of(BROKER).orElseThrow();
            ReluctantClient<ReportFrame> slow = served.follow(1);
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            while (received.size() < store.last() * ReportStore.RECORD_LENGTH) {
                slow.read().getReports().writeTo(received);
            }

            // It has caught up and now stops reading while the market goes on.
            served.commit(40, 8);
            Facts.await("the cut", () -> served.service.followerCount() == 0);
            Status status = slow.awaitEnd();
            for (ReportFrame frame : slow.unread()) {
                frame.getReports().writeTo(received);
            }
            long resumeFrom = received.size() / ReportStore.RECORD_LENGTH + 1;
            ReluctantClient<ReportFrame> resumed = served.follow(resumeFrom);
            while (received.size() < store.last() * ReportStore.RECORD_LENGTH) {
                resumed.read().getReports().writeTo(received);
            }

            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).endsWith("resume from report " + resumeFrom);
            assertThat(received.toByteArray()).isEqualTo(everything(store));
        }
    }

    /** It replays, so that no lag limit holds it; it answers pings, so that no keep-alive ends it. */
    @Test
    void shouldCutAFollowerThatNeverReads() throws Exception {
        try (Served served = new Served(40, "stall-ms", "100")) {
            ReluctantClient<ReportFrame> silent = served.follow(1);
            Facts.await("the stream", () -> served.service.followerCount() > 0);

            while (served.service.followerCount() > 0) {
                served.commit(1, 1);
            }
            Status status = silent.awaitEnd();

            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).contains("stream read nothing for ", "; resume from report ");
        }
    }

    /** An engine with blocks, and its port of reports. */
    private final class Served implements AutoCloseable {
        final TestEngine engine;
        final ExecutionReportsService service;
        private final TestNode node;
        private final AccessRefusals refusals = new AccessRefusals(new SimpleMeterRegistry());
        private final EngineGrpcServer server;
        private final ManagedChannel channel;

        /**
         * @param blocks that are executed at first
         * @param settings of reports: key, value, and so on
         */
        Served(int blocks, String... settings) throws Exception {
            node = new TestNode(directory, TestMarket.write(directory, 1).digest());
            node.commitFlow(flow, blocks, 8, 20);
            Map<String, String> all = new HashMap<>(Map.of(
                    "sealbook.engine.directory", directory.toString(),
                    "sealbook.engine.reports.followers-max", "2",
                    "sealbook.engine.reports.followers-per-address", "2"));
            for (int i = 0; i < settings.length; i += 2) {
                all.put("sealbook.engine.reports." + settings[i], settings[i + 1]);
            }
            engine = new TestEngine(directory, all);
            service = new ExecutionReportsService(engine.reports, engine.monitor, engine.settings.reports());
            server = new EngineGrpcServer(engine.settings, EngineTls.OFF, List.of(service), refusals);
            engine.await(blocks);
            server.start();
            channel = ReluctantClient.channel(server.port());
        }

        void commit(int blocks, int batches) throws Exception {
            node.commitFlow(flow, blocks, batches, 20);
            engine.await(node.lastSequence());
        }

        ReluctantClient<ReportFrame> follow(long from) {
            return ReluctantClient.begin(
                    channel,
                    ExecutionReportsGrpc.getFollowMethod(),
                    FollowReportsRequest.newBuilder()
                            .setBrokerId(BROKER)
                            .setFromSequence(from)
                            .build());
        }

        @Override
        public void close() throws Exception {
            channel.shutdownNow();
            server.close();
            refusals.close();
            service.close();
            engine.close();
        }
    }

    private static byte[] everything(ReportStore store) {
        ByteBuffer bytes = ByteBuffer.allocate((int) store.last() * ReportStore.RECORD_LENGTH);
        for (long next = 1; next <= store.last(); ) {
            next += store.read(next, bytes);
        }
        return bytes.array();
    }
}
