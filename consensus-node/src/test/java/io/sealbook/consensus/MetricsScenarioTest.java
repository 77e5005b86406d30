package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sealbook.alerts.AlertRules;
import io.sealbook.alerts.Sample;
import io.sealbook.alerts.Scrapes;
import io.sealbook.archive.ArchiveReader;
import io.sealbook.crypto.KeyFile;
import io.sealbook.crypto.SignatureProviders;
import io.sealbook.crypto.SignatureVerifier;
import io.sealbook.crypto.Signer;
import io.sealbook.pbft.message.Epoch;
import io.sealbook.pbft.message.Prepare;
import io.sealbook.pbft.message.Signature;
import io.sealbook.peer.PeerTransport;
import io.sealbook.protocol.v1.BlockReceipts;
import io.sealbook.protocol.v1.FollowReceiptsRequest;
import io.sealbook.protocol.v1.GetNodeStatusRequest;
import io.sealbook.protocol.v1.OrderGatewayGrpc;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.vocabulary.BatchPosition;
import io.sealbook.vocabulary.Digest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A cluster's bad day: each trouble moves the metrics that operators watch, and raises the alerts that are about it and
 * no others. Scrapes are real; their times are chosen, 1,000 s from one trouble to the next, so that none sees the last
 * one.
 */
@Timeout(300)
class MetricsScenarioTest {
    private static final int BLOCKS_THAT_ALARM = 70;
    /** Blocks after which a node that was away transfers state from several peers. */
    private static final int FAR_BEHIND = 90;

    private static final int GARBAGE = 120;
    /** Above what broker and scraper of this test need, below what a machine of any pace reaches. */
    private static final int CALLS_PER_SECOND = 50;

    /** Of the four bytes in a segment's head that are 1 when it is closed. */
    private static final int SEGMENT_STATE_OFFSET = 68;

    private static final int RECORD_HEADER_LENGTH = 32;

    private static final String STRANGER = "127.0.0.9";

    /** What depends on the machine that runs the test, and engines, which are real elsewhere. */
    private static final Set<String> NOT_JUDGED = Set.of("DiskAlmostFull", "DescriptorsRunOut");

    private final Scrapes scrapes = new Scrapes();
    private final WatchedMetrics watched = new WatchedMetrics();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private TestCluster cluster;
    private TestBroker broker;
    private long committed;
    private int lost;

    @Test
    void shouldMoveEveryMetricAndRaiseTheRightAlerts() throws Exception {
        AlertRules rules = AlertRules.read();
        try (TestCluster started = TestCluster.start(
                parameters -> parameters.setLogWindow(512),
                "gateway-connections-per-address=16",
                "gateway-reads-per-address=4",
                "feed-archive-bytes-per-second=65536",
                "gateway-calls-per-second=" + CALLS_PER_SECOND,
                "admin-requests-per-second=" + CALLS_PER_SECOND)) {
            cluster = started;
            broker = cluster.broker(1);

            scrape(0);
            commit(20);
            scrape(60);
            assertThat(judged(rules, 0, 60)).as("all is well").isEmpty();

            scrape(1_000);
            refuseBatches();
            scrape(1_060);
            assertThat(judged(rules, 1_000, 1_060)).containsExactly("BatchesRefused{node=0}");

            scrape(2_000);
            comeAsStrangers();
            scrape(2_060);
            assertThat(judged(rules, 2_000, 2_060)).containsExactly("StrangersAtThePorts{node=1}");

            cluster.stopEngine(3);
            commit(BLOCKS_THAT_ALARM);
            scrape(3_000);
            commit(1);
            scrape(3_060);
            assertThat(judged(rules, 3_000, 3_060)).containsExactly("EngineBehind{node=3}");

            cluster.stopEngine(2);
            commit(BLOCKS_THAT_ALARM);
            scrape(4_000);
            commit(1);
            scrape(4_060);
            assertThat(judged(rules, 4_000, 4_060))
                    .contains("EngineBehind{node=2}", "EngineBehind{node=3}")
                    .contains("BlocksNotCertified{node=0}", "BlocksNotCertified{node=3}");

            cluster.startEngine(2);
            cluster.startEngine(3);
            cluster.assertEqualChains();
            cluster.engine(3).beWrong();
            while (cluster.node(3).state().isolatedAt() == 0) {
                commit(1);
            }
            scrape(5_000);
            commit(1);
            scrape(5_060);
            assertThat(judged(rules, 5_000, 5_060)).contains("ResultDiffers{node=3}");

            losePeers(rules);
            comeBackWithATornArchive();
        } finally {
            for (AutoCloseable each : opened) {
                each.close();
            }
        }
        meetFaultyMembers(rules);
        watched.assertAllMoved();
    }

    /**
     * Another cluster: a member with a damaged archive hands over altered blocks, another one sends what nobody asked
     * for.
     */
    private void meetFaultyMembers(AlertRules rules) throws Exception {
        try (TestCluster started = TestCluster.start(
                        parameters -> parameters.setBlocksPerSegment(16).setValidityBlocksMax(64));
                SignatureVerifier verifier = SignatureProviders.named("bc")) {
            cluster = started;
            broker = cluster.broker(1);
            committed = 0;
            scrape(8_000);
            cluster.kill(3);
            commitShortLived(FAR_BEHIND);
            cluster.kill(1);
            cluster.alterSignatures(1);
            damageBlock(16);
            Files.writeString(
                    cluster.nodeDirectory(1).propertiesFile(), "\nlaboratory=true\n", StandardOpenOption.APPEND);
            cluster.startNode(1);
            cluster.awaitConnected();
            cluster.startNode(3);
            while (!hasRefusedBlocksOfNode1()) {
                // Node 1 was connected too late to be asked.
                cluster.kill(3);
                commitShortLived(FAR_BEHIND);
                cluster.startNode(3);
            }
            cluster.awaitEqualHeight();
            collectGarbage();
            scrape(8_060);
            assertThat(judged(rules, 8_000, 8_060)).containsExactly("ArchiveDamaged{node=1}", "LaboratoryRuns{node=1}");

            cluster.kill(3);
            try (PeerTransport hostile = HostilePeerTest.hostile(cluster, verifier)) {
                cluster.await(
                        "the hostile member is connected",
                        () -> hostile.connected().size() == 3);
                hostile.sendBlocks(0, 1, List.of(new byte[] {1}), null);
                cluster.await(
                        "its blocks are refused",
                        () -> cluster.node(0).metrics().peerBlockRefusals(3) == 1);
                signTwiceAndBadly(hostile);
                scrape(9_000);
                assertThat(judged(rules, 9_000)).contains("MemberSignedTwice{node=0}");
            }
            equivocate();
            scrape(9_500);
            assertThat(judged(rules, 9_500)).contains("SessionSuspended{node=0}");
        }
    }

    /** Waits until node 3 has refused altered blocks of node 1, or has caught up without asking it. */
    private boolean hasRefusedBlocksOfNode1() throws Exception {
        cluster.await(
                "node 3 refuses altered blocks or catches up",
                () -> cluster.node(3).metrics().transferRefusals(1) > 0
                        || cluster.node(3).status().getLastDelivered()
                                >= cluster.node(0).status().getLastDelivered());
        return cluster.node(3).metrics().transferRefusals(1) > 0;
    }

    /** Commits so many blocks, with batches that are not valid for long. */
    private void commitShortLived(int blocks) throws Exception {
        long last = cluster.node(0).status().getLastDelivered() + blocks;
        while (cluster.node(0).status().getLastDelivered() < last) {
            long validUntil = cluster.node(0).state().lastBlock().sequence() + 50;
            broker.submitTo(0, broker.batch(fields -> fields.validUntilBlock = validUntil));
            committed++;
            cluster.awaitCommitted(committed);
        }
    }

    /** Cuts the last block of a segment as a disk that lost a page would: the segment counts as not closed. */
    private void damageBlock(int sequence) throws IOException {
        Path segment = cluster.nodeDirectory(1).archive().resolve(String.format("segment-%019d.blocks", sequence - 15));
        int length = lengthOf(sequence);
        int repairable = offsetOf(sequence - 10);
        byte[] whole = Files.readAllBytes(segment);
        Arrays.fill(whole, SEGMENT_STATE_OFFSET, SEGMENT_STATE_OFFSET + 4, (byte) 0);
        whole[repairable] ^= 1;
        // Two blocks: where a segment has lost more than its last block, only the command repairs it.
        Files.write(segment, Arrays.copyOf(whole, whole.length - length - RECORD_HEADER_LENGTH - 1));
    }

    private int offsetOf(int sequence) {
        try (ArchiveReader reader = ArchiveReader.open(cluster.nodeDirectory(1).archive())) {
            return (int) reader.facts(sequence).orElseThrow().offset();
        }
    }

    private int lengthOf(int sequence) {
        try (ArchiveReader reader = ArchiveReader.open(cluster.nodeDirectory(1).archive())) {
            return reader.facts(sequence).orElseThrow().length();
        }
    }

    private void collectGarbage() throws Exception {
        Gauge overhead =
                cluster.node(0).metrics().registry().get("jvm.gc.overhead").gauge();
        double before = overhead.value();
        cluster.await("the collector has worked", () -> {
            System.gc();
            return overhead.value() != before;
        });
    }

    private void losePeers(AlertRules rules) throws Exception {
        int primary = cluster.primary();
        int witness = primary == 0 ? 1 : 0;
        long view = cluster.node(witness).status().getView();
        cluster.kill(3);
        cluster.kill(primary);
        broker.submitTo(witness, broker.batch(1));
        cluster.await("two peers lost", () -> cluster.node(witness).status().getConnectedPeersCount() == 1);
        cluster.await(
                "a batch waits",
                () -> cluster.node(witness)
                                .metrics()
                                .registry()
                                .get("sealbook.node.payload.count")
                                .gauge()
                                .value()
                        > 0);
        cluster.await(
                "the primary is suspected", () -> cluster.node(witness).status().getView() > view);
        for (double timeS : new double[] {6_000, 6_030, 6_060, 6_090, 6_120}) {
            scrape(timeS);
        }
        assertThat(judged(rules, 6_000, 6_060, 6_090, 6_120))
                .contains("ProcessDown{node=3}", "ProcessDown{node=" + primary + "}")
                .contains("NodeNotReady{node=" + witness + "}", "PeersLost{node=" + witness + "}")
                .contains("BlocksStandStill");
        lost = primary;
    }

    private void comeBackWithATornArchive() throws Exception {
        Path segment;
        try (Stream<Path> files = Files.list(cluster.nodeDirectory(lost).archive())) {
            segment = files.filter(file -> file.toString().endsWith(".blocks"))
                    .max(Path::compareTo)
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(segment);
        Files.write(segment, Arrays.copyOf(bytes, bytes.length - 3));
        cluster.startNode(lost);
        committed++;
        cluster.awaitCommitted(committed);
        followFromTheArchive();
        leaveBlocksUnread();
        scrape(7_000);
    }

    /** What a node committed before a restart is not in its memory. */
    private void followFromTheArchive() throws Exception {
        FollowReceiptsRequest all =
                FollowReceiptsRequest.newBuilder().setFromBlock(1).build();
        for (int i = 0; i < 4; i++) {
            cluster.asyncGateway(lost).followReceipts(all, new Ignored());
        }
        MeterRegistry registry = cluster.node(lost).metrics().registry();
        cluster.await(
                "as much was read as may be in a second",
                () -> registry.get("sealbook.node.archive.throttled.seconds")
                                .tag("streams", "receipts")
                                .functionCounter()
                                .count()
                        > 0);
    }

    /** From an address of its own, whose streams are not used up. */
    private void leaveBlocksUnread() throws Exception {
        IdleReader reader = new IdleReader(
                "127.0.0.7", cluster.genesis().genesis().getNodes(lost).getGatewayPort());
        opened.add(reader);
        reader.getBlocks();
        MeterRegistry registry = cluster.node(lost).metrics().registry();
        Gauge unread = registry.get("sealbook.node.unread.bytes").gauge();
        cluster.await("blocks are unread", () -> unread.value() > 0);
    }

    private void commit(int blocks) throws Exception {
        for (int i = 0; i < blocks; i++) {
            broker.submitTo(i % 2, broker.batch(1));
            committed++;
            cluster.awaitCommitted(committed);
        }
    }

    private void refuseBatches() throws InterruptedException {
        for (int i = 0; i < 30; i++) {
            byte[] batch = broker.batch(1);
            batch[batch.length - 2] ^= 1;
            broker.refusalOf(batch);
        }
    }

    /** Signs two batches under one number, and hands both to one node: others have the first one only. */
    /** Member 3 votes for two proposals of one block, then under a signature that is not over its vote. */
    private void signTwiceAndBadly(PeerTransport hostile) throws Exception {
        Signer signer = KeyFile.readSigner(cluster.nodeDirectory(3).keyFile());
        Epoch epoch = Epoch.first(cluster.genesis().genesis().getChainId());
        long view = cluster.node(0).status().getView();
        long block = cluster.node(0).status().getLastDelivered() + 2;
        Prepare last = null;
        for (int proposal = 0; proposal < 2; proposal++) {
            Digest digest = Digest.sha256(new byte[] {(byte) proposal});
            byte[] bytes = Prepare.signedBytes(epoch, view, block, digest, 3);
            last = new Prepare(view, block, digest, 3, Signature.of(signer.sign(bytes)));
            hostile.send(0, last);
        }
        cluster.await("node 0 has evidence", () -> cluster.node(0).status().getProvenFaultyMembersCount() == 1);
        cluster.await(
                "node 0 counts what it did not take",
                () -> countAtNode0("sealbook.node.ignored.messages", "CONFLICTING") > 0);
        hostile.send(0, new Prepare(view, block + 1, last.digest(), 3, last.signature()));
        cluster.await(
                "node 0 counts the bad signature",
                () -> countAtNode0("sealbook.offload.dropped", "bad_signature") == 1);
    }

    private void equivocate() throws Exception {
        BatchPosition position = BatchPosition.first(TestBroker.SESSIONS - 1);
        long last = cluster.node(0).status().getLastDelivered();
        long validUntil = last + 50;
        Consumer<TestBroker.Fields> first = fields -> {
            fields.position = position;
            fields.validUntilBlock = validUntil;
        };
        broker.submitTo(0, broker.batch(first));
        cluster.await(
                "the first one is in a block", () -> cluster.node(0).status().getLastDelivered() > last);
        cluster.awaitEqualHeight();
        assertThat(broker.refusalOf(broker.batch(first))).isEqualTo(RefusalReason.NUMBER_TAKEN);
        assertThat(broker.refusalOf(broker.batch(fields -> fields.session = position.session())))
                .isEqualTo(RefusalReason.SESSION_SUSPENDED);
    }

    private void comeAsStrangers() throws Exception {
        int votePort = cluster.genesis().genesis().getNodes(1).getVotePort();
        for (int i = 0; i < GARBAGE; i++) {
            socket(votePort).getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        int gatewayPort = cluster.genesis().genesis().getNodes(1).getGatewayPort();
        for (int i = 0; i < 20; i++) {
            socket(gatewayPort);
        }
        for (int i = 0; i < 6; i++) {
            cluster.asyncGateway(1).followReceipts(FollowReceiptsRequest.getDefaultInstance(), new Ignored());
        }
        flood(cluster.node(1).adminPort(), "sealbook.admin.refused.rates");
        callTooOften(gatewayPort);
        cluster.await(
                "all refused",
                () -> count("sealbook.peer.refused") >= GARBAGE
                        && count("sealbook.node.gateway.refused.connections") == 4
                        && count("sealbook.node.gateway.refused.reads") == 2);
    }

    private void flood(int adminPort, String refusals) throws Exception {
        byte[] request = "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        while (count(refusals) == 0) {
            try (Socket each = socket(adminPort)) {
                each.getOutputStream().write(request);
                each.getInputStream().readAllBytes();
            }
        }
    }

    /** From an address of its own: the rates of the broker's are not touched. */
    private void callTooOften(int gatewayPort) throws Exception {
        ManagedChannel channel =
                IdleReader.channelFrom("127.0.0.8", gatewayPort).build();
        opened.add(channel::shutdownNow);
        OrderGatewayGrpc.OrderGatewayBlockingStub stub = OrderGatewayGrpc.newBlockingStub(channel);
        while (count("sealbook.node.gateway.refused.rates") == 0) {
            try {
                stub.getNodeStatus(GetNodeStatusRequest.getDefaultInstance());
            } catch (StatusRuntimeException refused) {
                assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            }
        }
    }

    private double countAtNode0(String meter, String reason) {
        return cluster.node(0)
                .metrics()
                .registry()
                .get(meter)
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double count(String meter) {
        return cluster.node(1).metrics().registry().find(meter).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    private Socket socket(int port) throws IOException {
        Socket socket = new Socket();
        opened.add(socket);
        socket.bind(new InetSocketAddress(InetAddress.getByName(STRANGER), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        return socket;
    }

    private void scrape(double timeS) throws IOException {
        for (int node = 0; node < 4; node++) {
            scrapes.add(timeS, "node", node, cluster.node(node) == null ? null : metrics(node));
        }
        for (Sample sample : scrapes.at(timeS, each -> true)) {
            assertThat(sample.value()).as("%s", sample).isNotNaN();
            watched.add(sample);
        }
    }

    private String metrics(int node) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + cluster.node(node).adminPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private TreeSet<String> judged(AlertRules rules, double... timesS) {
        TreeSet<String> firing = rules.firing(scrapes, timesS);
        firing.removeIf(alert -> NOT_JUDGED.stream().anyMatch(alert::startsWith));
        return firing;
    }

    private static final class Ignored implements StreamObserver<BlockReceipts> {
        @Override
        public void onNext(BlockReceipts receipts) {
            // What is followed does not matter here.
        }

        @Override
        public void onError(Throwable reason) {
            // Refusals are counted by the node.
        }

        @Override
        public void onCompleted() {
            // Nor does the end.
        }
    }
}
