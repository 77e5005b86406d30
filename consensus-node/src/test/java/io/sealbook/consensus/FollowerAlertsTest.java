package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.alerts.AlertRules;
import io.sealbook.alerts.Sample;
import io.sealbook.alerts.Scrapes;
import io.sealbook.handoff.IsolationNotice;
import io.sealbook.ports.HeldPort;
import io.sealbook.protocol.v1.FeedItem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each trouble of a follower raises the alert that is about it and no other. Scrapes are real; their times are chosen.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FollowerAlertsTest {
    private static final int FOLLOWER = 9;
    private static final int BLOCKS = 20;
    private static final int BLOCKS_THAT_ALARM = 135;
    /** What depends on the machine that runs the test. */
    private static final Set<String> NOT_JUDGED = Set.of("DiskAlmostFull", "DescriptorsRunOut");

    @TempDir
    private Path directory;

    private final Scrapes scrapes = new Scrapes();
    private AlertRules rules;
    private int committed;

    @BeforeEach
    void readRules() throws IOException {
        rules = AlertRules.read();
    }

    @Test
    void shouldBeSilentWhileAllIsWellAndNameAFollowerThatIsDown() throws Exception {
        try (TestCluster cluster = cluster();
                TestFollower follower = new TestFollower(directory, cluster)) {
            commit(cluster, BLOCKS);
            awaitHeight(cluster, follower);

            scrape(follower, 0);
            assertThat(firing(0, 120)).isEmpty();
        }

        scrapes.add(1_000, "follower", FOLLOWER, null);
        assertThat(firing(1_000, 1_030)).containsExactly("ProcessDown{node=9}");
    }

    @Test
    void shouldNameASourceThatLied() throws Exception {
        try (TestCluster cluster = cluster();
                LyingFeed liar = new LyingFeed(gatewayPort(cluster, 1), FollowerAlertsTest::withoutHeader);
                TestFollower follower = new TestFollower(
                        directory,
                        cluster,
                        "sources=" + liar.address() + "," + address(cluster, 2) + "," + address(cluster, 3))) {
            commit(cluster, BLOCKS);
            awaitHeight(cluster, follower);

            scrape(follower, 0);
            assertThat(firing(0, 120)).containsExactly("SourceLied{node=9}");
        }
    }

    @Test
    void shouldNameAFollowerWithoutSource() throws Exception {
        try (TestCluster cluster = cluster();
                HeldPort port = new HeldPort();
                TestFollower follower = new TestFollower(directory, cluster, "sources=127.0.0.1:" + port.number())) {
            scrape(follower, 0);
            assertThat(firing(0, 120)).containsExactly("FollowerWithoutSource{node=9}");
        }
    }

    /** One member alone confirms nothing before the first certificate. */
    @Test
    void shouldNameAFollowerWhoseBlocksNobodyConfirms() throws Exception {
        try (TestCluster cluster = TestCluster.start(parameters -> parameters
                        .setBlockMaxBatches(1)
                        .setCheckpointInterval(64)
                        .setLogWindow(256));
                TestFollower follower = new TestFollower(directory, cluster, "sources=" + address(cluster, 1))) {
            cluster.certifyNothing();
            commit(cluster, BLOCKS);
            cluster.await("blocks are held", () -> follower.status().getHeldBlocks() > 0);

            scrape(follower, 0);
            assertThat(firing(0, 120)).containsExactly("FollowerUnconfirmed{node=9}");
        }
    }

    /** Its sources send heads and keep the blocks back. */
    @Test
    void shouldNameAFollowerThatIsBehind() throws Exception {
        try (TestCluster cluster = cluster();
                LyingFeed first = new LyingFeed(gatewayPort(cluster, 1), FollowerAlertsTest::headsOnly);
                LyingFeed second = new LyingFeed(gatewayPort(cluster, 2), FollowerAlertsTest::headsOnly);
                TestFollower follower =
                        new TestFollower(directory, cluster, "sources=" + first.address() + "," + second.address())) {
            commit(cluster, BLOCKS_THAT_ALARM);
            cluster.await(
                    "the height is known",
                    () -> follower.status().getKnownHeight()
                            == cluster.node(0).status().getLastDelivered());

            scrape(follower, 0);
            assertThat(firing(0, 120)).contains("FollowerBehind{node=9}").doesNotContain("FollowerUnconfirmed{node=9}");
        }
    }

    @Test
    void shouldNameAFollowerWithADamagedArchive() throws Exception {
        try (TestCluster cluster = cluster();
                TestFollower follower = new TestFollower(directory, cluster)) {
            commit(cluster, BLOCKS);
            awaitHeight(cluster, follower);
            follower.stop();
            ArchiveDamage.flipBit(follower.directory().archive(), BLOCKS / 2);

            follower.start();
            awaitHeight(cluster, follower);

            scrape(follower, 0);
            assertThat(firing(0, 120)).containsExactly("FollowerArchiveDamaged{node=9}");
        }
    }

    @Test
    void shouldNameAnEngineThatIsWrongAndTellIt() throws Exception {
        try (TestCluster cluster = cluster();
                TestFollower follower = new TestFollower(directory, cluster)) {
            TestBroker broker = cluster.broker(1);
            commit(cluster, broker, BLOCKS);
            cluster.awaitCertified();
            cluster.await("a right result is seen", () -> follower.status().getEngineRightTo() > 0);
            assertThat(follower.status().getReady()).isTrue();
            long right = follower.status().getEngineRightTo();

            follower.engine().beWrong();
            commit(cluster, broker, BLOCKS);
            cluster.await("a wrong result is seen", () -> follower.status().getEngineWrongAt() > 0);
            awaitHeight(cluster, follower);

            scrape(follower, 0);
            assertThat(firing(0, 120)).containsExactly("FollowerEngineWrong{node=9}");
            assertThat(follower.status().getState()).isEqualTo("ENGINE_WRONG");
            assertThat(follower.status().getReady()).isFalse();
            IsolationNotice told =
                    IsolationNotice.read(follower.directory().isolationFile()).orElseThrow();
            assertThat(told.checkpoint()).isEqualTo(follower.status().getEngineWrongAt());
            assertThat(told.isEngineWrong()).isTrue();
            assertThat(told.provenTo()).isGreaterThanOrEqualTo(right).isLessThan(told.checkpoint());

            follower.engine().rebuild();
            cluster.await("it is right again", () -> follower.status().getEngineWrongAt() == 0);
            assertThat(follower.directory().isolationFile()).doesNotExist();
            scrape(follower, 1_000);
            assertThat(firing(1_000, 1_120)).isEmpty();
        }
    }

    private static TestCluster cluster() throws Exception {
        return TestCluster.start(parameters -> parameters.setBlockMaxBatches(1));
    }

    private void commit(TestCluster cluster, int batches) throws Exception {
        commit(cluster, cluster.broker(1), batches);
    }

    private void commit(TestCluster cluster, TestBroker broker, int batches) throws Exception {
        for (int i = 0; i < batches; i++) {
            broker.submitTo(0, broker.batch(1));
        }
        committed += batches;
        cluster.awaitCommitted(committed);
    }

    private static void awaitHeight(TestCluster cluster, TestFollower follower) throws Exception {
        cluster.await("the follower has every block", () -> {
            assertThat(follower.failures).isEmpty();
            return follower.status().getLastBlock() == cluster.node(0).status().getLastDelivered();
        });
    }

    /** Scrapes each half minute, for two minutes. */
    private void scrape(TestFollower follower, double timeS) throws Exception {
        for (int i = 0; i <= 4; i++) {
            scrapes.add(timeS + 30 * i, "follower", FOLLOWER, metrics(follower));
        }
        assertThat(scrapes.at(timeS, each -> true)).extracting(Sample::value).doesNotContain(Double.NaN);
    }

    private static String metrics(TestFollower follower) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + follower.adminPort() + "/metrics");
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private TreeSet<String> firing(double fromS, double toS) {
        TreeSet<String> firing = rules.firing(scrapes, fromS, (fromS + toS) / 2, toS);
        firing.removeIf(alert -> NOT_JUDGED.stream().anyMatch(alert::startsWith));
        return firing;
    }

    private static int gatewayPort(TestCluster cluster, int node) {
        return cluster.genesis().genesis().getNodes(node).getGatewayPort();
    }

    private static String address(TestCluster cluster, int node) {
        return "127.0.0.1:" + gatewayPort(cluster, node);
    }

    private static FeedItem headsOnly(FeedItem item) {
        return item.hasHead() ? item : null;
    }

    private static FeedItem withoutHeader(FeedItem item) {
        if (!item.hasBlock()) {
            return item;
        }
        FeedItem.Builder altered = item.toBuilder();
        altered.getBlockBuilder().setBlock(item.getBlock().getBlock().substring(1));
        return altered.build();
    }
}
