package io.sealbook.engine.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sealbook.engine.access.AccessRefusals;
import io.sealbook.engine.fixture.TestEngine;
import io.sealbook.engine.fixture.TestFlow;
import io.sealbook.engine.fixture.TestMarket;
import io.sealbook.engine.fixture.TestNode;
import io.sealbook.engine.rpc.EngineGrpcServer;
import io.sealbook.protocol.v1.ExecutionReportsGrpc;
import io.sealbook.protocol.v1.FollowReportsRequest;
import io.sealbook.protocol.v1.ReportFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ReportFollowerTest {
    private static final int BROKER = 2;

    @TempDir
    Path directory;

    @Test
    void shouldCutSlowFollowerAndResumeWhereItStopped() throws Exception {
        TestNode node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        TestFlow flow = new TestFlow(31);
        node.commitFlow(flow, 1, 8, 20);
        Map<String, String> settings = Map.of(
                "sealbook.engine.directory", directory.toString(),
                "sealbook.engine.reports.followers-max", "2",
                "sealbook.engine.reports.followers-per-address", "2",
                "sealbook.engine.reports.frame-reports-max", "64",
                "sealbook.engine.reports.lag-max", "500");
        try (TestEngine engine = new TestEngine(directory, settings);
                ExecutionReportsService service =
                        new ExecutionReportsService(engine.reports, engine.monitor, engine.properties.reports());
                AccessRefusals refusals = new AccessRefusals(new SimpleMeterRegistry());
                EngineGrpcServer server = new EngineGrpcServer(engine.properties, List.of(service), refusals)) {
            engine.await(1);
            server.start();
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .flowControlWindow(1 << 16)
                    .build();
            ReportStore store = engine.reports.of(BROKER).orElseThrow();
            SlowBroker slow = new SlowBroker(channel, 1);
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            while (received.size() < store.last() * ReportStore.RECORD_LENGTH) {
                slow.read(received);
            }

            // It has caught up and now stops reading while the market goes on.
            node.commitFlow(flow, 40, 8, 20);
            engine.await(node.lastSequence());
            while (service.followerCount() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            Status status = slow.drain(received);
            long resumeFrom = received.size() / ReportStore.RECORD_LENGTH + 1;
            SlowBroker resumed = new SlowBroker(channel, resumeFrom);
            while (received.size() < store.last() * ReportStore.RECORD_LENGTH) {
                resumed.read(received);
            }
            channel.shutdownNow();

            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).endsWith("resume from report " + resumeFrom);
            assertThat(received.toByteArray()).isEqualTo(everything(store));
        }
    }

    /** It replays, so that no lag limit holds it; it answers pings, so that no keep-alive ends it. */
    @Test
    void shouldCutAFollowerThatNeverReads() throws Exception {
        TestNode node = new TestNode(directory, TestMarket.write(directory, 1).digest());
        TestFlow flow = new TestFlow(31);
        node.commitFlow(flow, 40, 8, 20);
        Map<String, String> settings = Map.of(
                "sealbook.engine.directory", directory.toString(),
                "sealbook.engine.reports.followers-max", "2",
                "sealbook.engine.reports.followers-per-address", "2",
                "sealbook.engine.reports.stall-ms", "100");
        try (TestEngine engine = new TestEngine(directory, settings);
                ExecutionReportsService service =
                        new ExecutionReportsService(engine.reports, engine.monitor, engine.properties.reports());
                AccessRefusals refusals = new AccessRefusals(new SimpleMeterRegistry());
                EngineGrpcServer server = new EngineGrpcServer(engine.properties, List.of(service), refusals)) {
            engine.await(40);
            server.start();
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .flowControlWindow(1 << 16)
                    .build();
            SlowBroker silent = new SlowBroker(channel, 1);
            while (service.followerCount() == 0) {
                LockSupport.parkNanos(1_000_000);
            }

            while (service.followerCount() > 0) {
                node.commitFlow(flow, 1, 1, 20);
                engine.await(node.lastSequence());
            }
            Status status = silent.drain(new ByteArrayOutputStream());
            channel.shutdownNow();

            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).contains("stream read nothing for ", "; resume from report ");
        }
    }

    private static byte[] everything(ReportStore store) {
        ByteBuffer bytes = ByteBuffer.allocate((int) store.last() * ReportStore.RECORD_LENGTH);
        for (long next = 1; next <= store.last(); ) {
            next += store.read(next, bytes);
        }
        return bytes.array();
    }

    /** A client that takes one frame when it is asked to and no more. */
    private static final class SlowBroker extends ClientCall.Listener<ReportFrame> {
        final CompletableFuture<Status> closed = new CompletableFuture<>();
        private final BlockingQueue<ReportFrame> frames = new LinkedBlockingQueue<>();
        private final ClientCall<FollowReportsRequest, ReportFrame> call;

        SlowBroker(ManagedChannel channel, long from) {
            call = channel.newCall(ExecutionReportsGrpc.getFollowMethod(), CallOptions.DEFAULT);
            call.start(this, new Metadata());
            call.sendMessage(FollowReportsRequest.newBuilder()
                    .setBrokerId(BROKER)
                    .setFromSequence(from)
                    .build());
            call.halfClose();
        }

        void read(ByteArrayOutputStream received) throws InterruptedException, IOException {
            call.request(1);
            frames.take().getReports().writeTo(received);
        }

        /** Takes what was on its way when the stream was cut. */
        Status drain(ByteArrayOutputStream received) throws Exception {
            call.request(Integer.MAX_VALUE);
            Status status = closed.get();
            for (ReportFrame frame : frames) {
                frame.getReports().writeTo(received);
            }
            return status;
        }

        @Override
        public void onMessage(ReportFrame frame) {
            frames.add(frame);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            closed.complete(status);
        }
    }
}
