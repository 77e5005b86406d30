package io.sealbook.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sealbook.facts.Facts;
import io.sealbook.node.status.NodePhase;
import io.sealbook.protocol.v1.RefusalReason;
import io.sealbook.protocol.v1.SubmitReply;
import io.sealbook.protocol.v1.SubmitStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a node answers that cannot take a good batch now: BUSY with a hint, NOT_READY with its phase; other nodes take
 * it.
 */
@Timeout(300)
class BackPressureTest {
    private static final int LARGE = 250;
    private static final int PER_MESSAGE = 16;

    /** A megabyte of payloads, of which each gateway may hold a quarter. */
    private static final String SMALL_STORE = "payload-store-bytes=1048576";

    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=own", "stage-threads=shared"})
    void shouldAnswerBusyWhileNothingIsDeliveredAndTakeTheSameBatchesLater(String stages) throws Exception {
        try (TestCluster cluster = TestCluster.start(SMALL_STORE, stages)) {
            TestBroker greedy = cluster.broker(1);
            TestBroker other = cluster.broker(2);
            cluster.kill(2);
            cluster.kill(3);

            List<byte[]> refused = new ArrayList<>();
            int accepted = 0;
            for (int i = 0; i < 40; i++) {
                byte[] batch = greedy.batch(LARGE);
                SubmitReply reply = greedy.answerTo(0, batch);
                if (reply.getStatus() == SubmitStatus.ACCEPTED) {
                    accepted++;
                } else {
                    assertThat(reply.getReason()).isEqualTo(RefusalReason.BUSY);
                    assertThat(reply.getRetryAfterMs()).isPositive();
                    assertThat(reply.getDetail()).contains("wait for their block");
                    refused.add(batch);
                }
            }

            assertThat(accepted).isPositive();
            assertThat(refused).isNotEmpty();
            assertThat(cluster.node(0).metrics().refusals(RefusalReason.BUSY)).isEqualTo(refused.size());
            assertThat(other.answerTo(1, other.batch(LARGE)).getStatus())
                    .as("another node's gateway has a share of its own")
                    .isEqualTo(SubmitStatus.ACCEPTED);
            assertThat(cluster.node(1).metrics().refusals(RefusalReason.BUSY)).isZero();

            cluster.startNode(2);
            cluster.startNode(3);
            cluster.awaitCommitted(accepted + 1);
            for (byte[] batch : refused) {
                SubmitReply again = Facts.awaitPresent(
                        () -> "room for a batch that was refused",
                        () -> Optional.of(greedy.answerTo(0, batch))
                                .filter(reply -> reply.getReason() != RefusalReason.BUSY));
                assertThat(again.getStatus()).as(again.getDetail()).isEqualTo(SubmitStatus.ACCEPTED);
            }
            cluster.awaitCommitted(accepted + 1 + refused.size());
            cluster.assertEqualChains();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stage-threads=own", "stage-threads=shared"})
    void shouldAnswerBusyWhenTheRingIsFullAndLoseNothing(String stages) throws Exception {
        try (TestCluster cluster = TestCluster.start("ring-size=64", "submit-in-flight-max=16", stages)) {
            TestBroker quiet = cluster.broker(2);
            List<TestBroker> hasty = new ArrayList<>();
            // Together they have more in flight than there is room for.
            for (int i = 0; i < 8; i++) {
                hasty.add(cluster.broker(1, i));
            }

            long sent = 0;
            while (cluster.node(0).metrics().refusals(RefusalReason.BUSY) == 0) {
                for (int i = 0; i < 2; i++) {
                    for (TestBroker broker : hasty) {
                        List<byte[]> message = Stream.generate(() -> broker.batch(1))
                                .limit(PER_MESSAGE)
                                .toList();
                        broker.submitTo(0, message);
                        sent += PER_MESSAGE;
                    }
                }
                long answered = sent;
                cluster.await("all are answered", () -> answers(hasty) == answered);
            }

            List<SubmitReply> busy = hasty.stream()
                    .flatMap(broker -> broker.replies().stream())
                    .filter(reply -> reply.getStatus() == SubmitStatus.REFUSED)
                    .toList();
            assertThat(busy).allSatisfy(reply -> {
                assertThat(reply.getReason()).isEqualTo(RefusalReason.BUSY);
                assertThat(reply.getRetryAfterMs()).isPositive();
            });
            assertThat(cluster.node(0).metrics().refusals(RefusalReason.BUSY)).isEqualTo(busy.size());
            byte[] batch = quiet.batch(1);
            SubmitReply answer = Facts.awaitPresent(
                    () -> "room at node 1, whose ring has the batches from node 0, too",
                    () -> Optional.of(quiet.answerTo(1, batch))
                            .filter(reply -> reply.getReason() != RefusalReason.BUSY));
            assertThat(answer.getStatus()).as(answer.getDetail()).isEqualTo(SubmitStatus.ACCEPTED);
            cluster.awaitCommitted(sent - busy.size() + 1);
            cluster.assertEqualChains();
        }
    }

    private static long answers(List<TestBroker> brokers) {
        return brokers.stream().mapToLong(broker -> broker.replies().size()).sum();
    }

    @Test
    void shouldAnswerNotReadyWhileIsolatedAndDisturbNobody() throws Exception {
        try (TestCluster cluster = TestCluster.start()) {
            TestBroker broker = cluster.broker(1);
            cluster.engine(2).beWrong();
            long committed = 0;
            while (cluster.node(2).state().phase() != NodePhase.ISOLATED) {
                broker.submitTo(0, broker.batch(1));
                long awaited = ++committed;
                cluster.await("batch " + awaited, () -> cluster.node(0).status().getCommittedBatches() >= awaited);
            }
            byte[] batch = broker.batch(1);

            SubmitReply refusal = broker.answerTo(2, batch);

            assertThat(refusal.getStatus()).isEqualTo(SubmitStatus.REFUSED);
            assertThat(refusal.getReason()).isEqualTo(RefusalReason.NOT_READY);
            assertThat(refusal.getDetail()).contains("ISOLATED");
            assertThat(cluster.node(2).metrics().refusals(RefusalReason.NOT_READY))
                    .isEqualTo(1);
            assertThat(broker.answerTo(1, batch).getStatus()).isEqualTo(SubmitStatus.ACCEPTED);
            long awaited = committed + 1;
            cluster.await(
                    "the batch is committed by the others",
                    () -> List.of(0, 1, 3).stream()
                            .allMatch(i -> cluster.node(i).status().getCommittedBatches() == awaited));
            assertThat(cluster.node(0).metrics().refusals(RefusalReason.NOT_READY))
                    .isZero();
        }
    }
}
