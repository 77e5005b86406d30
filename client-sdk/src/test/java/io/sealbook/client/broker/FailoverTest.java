package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.Submission;
import io.sealbook.client.cluster.TestNode;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.v1.RefusalReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The same bytes go elsewhere, and no order is ever executed twice. */
class FailoverTest extends ClusterTest {
    private static final int BATCH_COUNT = 40;

    @Test
    void shouldSendTheSameBytesElsewhereWhenTheHomeNodeDies() throws Exception {
        cluster.submits(HOME, TestNode.Submits.SILENT);
        try (BrokerClient client = cluster.client().connect()) {
            List<CompletableFuture<Receipt>> receipts = submit(client);
            Facts.await("sent", () -> cluster.submissions().size() == BATCH_COUNT);

            cluster.kill(HOME);
            awaitAll(receipts);

            assertThat(bytesOf(node -> node == HOME)).isSubsetOf(bytesOf(node -> node != HOME));
            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
            assertThat(client.metrics().failovers()).isPositive();
            assertThat(client.metrics().resubmitted()).isGreaterThanOrEqualTo(BATCH_COUNT);
        }
    }

    @Test
    void shouldNotExecuteTwiceWhatTheDeadNodeHadSpread() throws Exception {
        cluster.committing(false);
        try (BrokerClient client = cluster.client().connect()) {
            List<CompletableFuture<Receipt>> receipts = submit(client);
            Facts.await("admitted", () -> cluster.submissions().size() == BATCH_COUNT);

            cluster.kill(HOME);
            Facts.await("sent again", () -> cluster.submissions().size() >= 2 * BATCH_COUNT);
            cluster.committing(true);
            awaitAll(receipts);

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
        }
    }

    @Test
    void shouldLeaveANodeThatDoesNotAnswer() throws Exception {
        cluster.submits(HOME, TestNode.Submits.SILENT);
        try (BrokerClient client = impatient().connect()) {
            awaitAll(submit(client));

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
        }
    }

    @Test
    void shouldLeaveANodeThatAcceptsAndForgets() throws Exception {
        cluster.submits(HOME, TestNode.Submits.DROPPING);
        try (BrokerClient client = impatient().connect()) {
            awaitAll(submit(client));

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
        }
    }

    @Test
    void shouldTryAnotherNodeWhenBusy() throws Exception {
        cluster.refusing(HOME, RefusalReason.BUSY);
        try (BrokerClient client = cluster.client().connect()) {
            awaitAll(submit(client));

            assertThat(cluster.executed()).hasSize(BATCH_COUNT).doesNotHaveDuplicates();
            assertThat(bytesOf(node -> node == HOME)).isSubsetOf(bytesOf(node -> node != HOME));
            assertThat(client.metrics().refused()).isZero();
        }
    }

    @Test
    void shouldComeBackWhenAllNodesWereBusy() throws Exception {
        for (int node = 0; node < 4; node++) {
            cluster.refusing(node, RefusalReason.BUSY);
        }
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("asked everywhere", () -> nodesAsked().size() == 4);
            cluster.submits(3, TestNode.Submits.ADMITTING);

            await(future);

            assertThat(cluster.submissions().stream()
                            .map(Submission::signedBatch)
                            .distinct())
                    .hasSize(1);
        }
    }

    /** Every node would say the same: the batches wait, in their order, and the session goes on. */
    @Test
    void shouldWaitAtItsNodeWhenItIsBeyondItsRate() throws Exception {
        cluster.refusing(HOME, RefusalReason.RATE_QUOTA);
        try (BrokerClient client = cluster.client().connect()) {
            List<CompletableFuture<Receipt>> futures = submit(client);
            Facts.await("slowed down", () -> client.metrics().slowedDown() > 0);
            cluster.submits(HOME, TestNode.Submits.ADMITTING);

            awaitAll(futures);

            assertThat(cluster.executed()).hasSize(BATCH_COUNT).doesNotHaveDuplicates();
            assertThat(client.metrics().refused()).isZero();
        }
    }

    /** A faulty node may say so for ever. */
    @Test
    void shouldAskAnotherNodeIfOneSaysAgainThatItIsBeyondItsRate() throws Exception {
        cluster.refusing(HOME, RefusalReason.RATE_QUOTA);
        try (BrokerClient client = cluster.client().connect()) {
            awaitAll(submit(client));

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
            assertThat(client.metrics().refused()).isZero();
            List<Submission> ofFirst = cluster.submissions().stream()
                    .filter(each -> each.signedBatch()
                            .equals(cluster.submissions().get(0).signedBatch()))
                    .toList();
            assertThat(ofFirst.stream().limit(2)).allMatch(each -> each.nodeId() == HOME);
            assertThat(ofFirst.get(ofFirst.size() - 1).nodeId()).isNotEqualTo(HOME);
        }
    }

    @Test
    void shouldPassOverNodesThatAreNotReady() throws Exception {
        cluster.refusing(HOME, RefusalReason.NOT_READY);
        cluster.state(2, "CATCHING_UP");
        try (BrokerClient client = cluster.client().connect()) {
            awaitAll(submit(client));

            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, BATCH_COUNT));
            assertThat(nodesAsked()).doesNotContain(2);
        }
    }

    @Test
    void shouldNotTakeARefusalAsFinalWhenAnotherNodeMayHaveTheBatch() throws Exception {
        cluster.committing(false);
        cluster.refusing(2, RefusalReason.UNKNOWN_SESSION);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<Receipt> future = client.submit(order(1));
            Facts.await("admitted", () -> cluster.submissions().size() == 1);
            cluster.kill(HOME);
            Facts.await("refused by the next", () -> nodesAsked().contains(2));

            cluster.committing(true);

            assertThat(await(future).blockSequence()).isEqualTo(1);
            assertThat(client.metrics().refused()).isZero();
        }
    }

    @Test
    void shouldReturnHomeWhenHomeIsBackAndNothingIsUnderWay() throws Exception {
        try (BrokerClient client = cluster.client().connect()) {
            await(client.submit(order(1)));
            cluster.kill(HOME);
            await(client.submit(order(2)));
            cluster.restart(HOME);
            Facts.await(
                    "home is back",
                    () -> client.connectionReport().endpoints().get(HOME).isConnected());

            long id = 3;
            do {
                await(client.submit(order(id++)));
            } while (last().nodeId() != HOME);

            assertThat(client.metrics().reconnects()).isPositive();
            assertThat(cluster.executed()).containsExactlyElementsOf(ids(1, id - 1));
        }
    }

    @Test
    void shouldExecuteEverythingOnceWhileNodesComeAndGo() throws Exception {
        try (BrokerClient client = impatient().connect()) {
            List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
            for (int round = 0; round < 4; round++) {
                int victim = (HOME + round) % 4;
                for (long i = 1; i <= 100; i++) {
                    receipts.add(client.submit(order(round * 100L + i)));
                    if (i == 50) {
                        cluster.kill(victim);
                    }
                }
                cluster.restart(victim);
            }
            awaitAll(receipts);

            assertThat(cluster.executed()).containsExactlyInAnyOrderElementsOf(ids(1, 400));
        }
    }

    private List<CompletableFuture<Receipt>> submit(BrokerClient client) {
        List<CompletableFuture<Receipt>> receipts = new ArrayList<>();
        for (long id = 1; id <= BATCH_COUNT; id++) {
            receipts.add(client.submit(order(id)));
        }
        return receipts;
    }

    private Submission last() {
        List<Submission> all = cluster.submissions();
        return all.get(all.size() - 1);
    }

    private Set<Integer> nodesAsked() {
        return cluster.submissions().stream().map(Submission::nodeId).collect(Collectors.toSet());
    }

    /** Returns what nodes were given. Which node follows depends on who is connected by then. */
    private Set<ByteString> bytesOf(IntPredicate isWanted) {
        return cluster.submissions().stream()
                .filter(submission -> isWanted.test(submission.nodeId()))
                .map(Submission::signedBatch)
                .collect(Collectors.toSet());
    }
}
