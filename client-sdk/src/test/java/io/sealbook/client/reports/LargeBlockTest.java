package io.sealbook.client.reports;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.sealbook.client.ChannelFactory;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.broker.BrokerClient;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.client.connection.ClientLoop;
import io.sealbook.client.connection.EngineLink;
import io.sealbook.client.connection.LinkConfig;
import io.sealbook.client.connection.NodeAddress;
import io.sealbook.client.metrics.ClientCounters;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A block of more bytes than one engine alone may send is delivered all the same. */
@Timeout(300)
class LargeBlockTest {
    /** Seven runs. */
    private static final int COUNT = 1_700;
    /** Less than one run. */
    private static final long BLOCK_BYTES_MAX = 1_000;

    private final TestCluster cluster = new TestCluster();
    private final AtomicReference<Throwable> broken = new AtomicReference<>();
    private final ClientLoop loop = new ClientLoop("large-block-loop", broken::set);
    private final ClientCounters counters = new ClientCounters();
    private final List<ExecutionReport> received = Collections.synchronizedList(new ArrayList<>());
    private final List<EngineLink> links = new ArrayList<>();
    private final ReportPipeline pipeline = new ReportPipeline(
            "large-block",
            new ReportConfig(
                    TestCluster.BROKER_ID,
                    1,
                    () -> 2,
                    TestCluster.NODE_COUNT,
                    COUNT,
                    TimeUnit.MINUTES.toNanos(5),
                    received::add,
                    Optional.empty()),
            loop,
            counters,
            BLOCK_BYTES_MAX);

    @BeforeEach
    void commitLargeBlock() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().inFlightMax(COUNT).connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (long id = 1; id <= COUNT; id++) {
                receipts.add(client.submit(Order.limit(id, 1, 1, Side.BUY, 100, 10)));
            }
            Facts.await("all in one block", () -> cluster.pendingCount() == COUNT);
            cluster.committing(true);
            CompletableFuture.allOf(receipts.toArray(CompletableFuture[]::new)).get();
        }
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            cluster.reportsPace(node, Duration.ofNanos(1)); // Run by run.
        }
        loop.start();
    }

    @AfterEach
    void stop() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        loop.execute(() -> {
            links.forEach(EngineLink::close);
            closed.complete(null);
        });
        closed.get();
        loop.stop();
        pipeline.close(TimeUnit.SECONDS.toNanos(1));
        cluster.close();
    }

    @Test
    void shouldDeliverABlockOfWhichOthersSendDigests() throws Exception {
        follow();
    }

    /** Engines that have just started remember no digest. */
    @Test
    void shouldDeliverABlockOfWhichEveryEngineSendsReports() throws Exception {
        for (int node = 0; node < TestCluster.NODE_COUNT; node++) {
            cluster.reports(node, TestNode.Reports.REPORTS_ONLY);
        }

        follow();
    }

    private void follow() throws Exception {
        LinkConfig config = new LinkConfig(
                TestCluster.CHAIN_ID,
                TestCluster.BROKER_ID,
                ChannelFactory.plaintext(),
                new NoRole(),
                TimeUnit.MILLISECONDS.toNanos(20),
                TimeUnit.MILLISECONDS.toNanos(200),
                TimeUnit.MILLISECONDS.toNanos(200),
                TimeUnit.MINUTES.toNanos(1));
        cluster.nodes()
                .forEach(node -> links.add(
                        new EngineLink(NodeAddress.engineOf(node), config, loop, pipeline.events(), counters)));
        pipeline.start(links).get();

        Facts.await("all reports, or a fault", () -> received.size() == COUNT || counters.reportsIgnored.sum() > 0);

        assertThat(counters.reportsIgnored.sum()).isZero();
        assertThat(received)
                .extracting(ExecutionReport::reportSequence)
                .containsExactlyElementsOf(
                        LongStream.rangeClosed(1, COUNT).boxed().toList());
        assertThat(broken).hasNullValue();
    }

    private static final class NoRole extends CallCredentials {
        @Override
        public void applyRequestMetadata(RequestInfo info, Executor executor, MetadataApplier applier) {
            applier.apply(new Metadata());
        }
    }
}
