package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sealbook.client.AccountPositions;
import io.sealbook.client.AccountPositions.InstrumentPosition;
import io.sealbook.client.ClientClosedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.NoAgreementException;
import io.sealbook.client.OpenOrders;
import io.sealbook.client.OrderTrace;
import io.sealbook.client.Receipt;
import io.sealbook.protocol.sbe.Action;
import io.sealbook.protocol.sbe.OrdStatus;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An answer is believed when two of four engines give it as of the same block. */
class QueriesTest extends ClusterTest {
    private static final int ACCOUNT = 7;
    private static final Duration LONG = Duration.ofSeconds(AWAIT_LIMIT_S);
    /** For what must not come: too short only lets a fault pass. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    private void reach(long... blocks) {
        for (int node = 0; node < blocks.length; node++) {
            cluster.reach(node, blocks[node]);
        }
    }

    @Test
    void shouldTraceAnOrder() throws Exception {
        reach(9, 9, 9, 9);
        try (BrokerClient client = cluster.client().connect()) {
            OrderTrace trace = client.trace(21, 0, LONG).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);

            assertThat(trace.asOfBlock()).isEqualTo(9);
            assertThat(trace.isComplete()).isTrue();
            assertThat(trace.steps())
                    .hasSize(2)
                    .extracting(OrderTrace.Step::blockSequence)
                    .containsOnly(3L);
            OrderTrace.SignedEntry entry =
                    (OrderTrace.SignedEntry) trace.steps().get(0);
            assertThat(entry.action()).isEqualTo(Action.NEW);
            assertThat(entry.batchId()).isEqualTo("00".repeat(32));
            assertThat(trace.status().map(ExecutionReport::ordStatus)).hasValue(OrdStatus.NEW);
        }
    }

    /** Its limit is beyond the range of nanoseconds, and must not be due before other times of the client. */
    @ParameterizedTest
    @MethodSource("endless")
    void shouldSendOrdersBesideQuestionsWithoutALimit(Duration limit) throws Exception {
        reach(9, 9, 9, 9);
        // A timer ends the delay of the order's batch.
        try (BrokerClient client = cluster.client()
                .batchSizeMax(10)
                .batchDelay(Duration.ofMillis(2))
                .connect()) {
            List<CompletableFuture<?>> questions = List.of(
                    client.trace(21, Long.MAX_VALUE, limit),
                    client.book(1, 1, Long.MAX_VALUE, limit),
                    client.prove(new Receipt(new byte[32], 1, 0, 1, new byte[32], 2), limit));

            await(client.submit(order(1)));

            assertThat(questions).noneMatch(CompletableFuture::isDone);
        }
    }

    @ParameterizedTest
    @MethodSource("endless")
    void shouldConnectAndCloseWithoutALimit(Duration limit) throws Exception {
        BrokerClient client = cluster.client()
                .connectTimeout(limit)
                .closeTimeout(limit)
                .submitTimeout(limit)
                .receiptTimeout(limit)
                .reportPatience(limit)
                .probe(limit, limit)
                .executionReports(report -> {})
                .connect();
        CompletableFuture<Receipt> future = client.submit(order(1));

        client.close();

        assertThat(future).isCompleted();
    }

    private static List<Duration> endless() {
        return List.of(Duration.ofNanos(Long.MAX_VALUE), ChronoUnit.FOREVER.getDuration());
    }

    @Test
    void shouldReturnOpenOrders() throws Exception {
        reach(9, 9, 0, 0);
        try (BrokerClient client = cluster.client().connect()) {
            OpenOrders orders = client.openOrders(0, 0, LONG).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);

            assertThat(orders.orders()).extracting(ExecutionReport::clOrdId).containsExactly(11L, 12L);
            assertThat(orders.reportSequence()).isEqualTo(2);
            assertThat(orders.isComplete()).isTrue();
        }
    }

    @Test
    void shouldMeetAtABlockThatTwoEnginesHaveReached() throws Exception {
        reach(5, 6, 8, 9);
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.positions(ACCOUNT, 0, LONG).get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .isEqualTo(new AccountPositions(ACCOUNT, 8, 8, List.of(new InstrumentPosition(1, 8, 800, 0, 0))));
        }
    }

    @Test
    void shouldNotFollowABlockThatOneEngineInvents() throws Exception {
        reach(5, 6, 7, Long.MAX_VALUE);
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(client.positions(ACCOUNT, 0, LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .asOfBlock())
                    .isEqualTo(7);
        }
        assertThat(cluster.asked(0)).doesNotContain(Long.MAX_VALUE);
    }

    @Test
    void shouldBelieveTwoEnginesAgainstALiar() throws Exception {
        reach(7, 7, 0, 0);
        cluster.lie(0, 3);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<AccountPositions> positions = client.positions(ACCOUNT, 0, LONG);
            cluster.awaitAsked(1, 2);
            assertThat(positions).as("two engines contradict each other").isNotDone();

            cluster.reach(2, 7);

            assertThat(positions.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).positions())
                    .containsExactly(new InstrumentPosition(1, 7, 700, 0, 0));
        }
    }

    @Test
    void shouldWaitForTheBlockThatIsWanted() throws Exception {
        reach(7, 7, 7, 7);
        try (BrokerClient client = cluster.client().connect()) {
            CompletableFuture<AccountPositions> positions = client.positions(ACCOUNT, 12, LONG);
            cluster.awaitAsked(1, 2);
            assertThat(positions).as("two engines agree on an earlier block").isNotDone();

            reach(12, 15, 7, 7);

            assertThat(positions.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).asOfBlock())
                    .isEqualTo(12);
        }
    }

    @Test
    void shouldFailWithTheLastAnswerOfEachEngine() {
        reach(7, 7, 0, 0);
        cluster.lie(0, 3);
        cluster.fallSilent(3);
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(failure(client.trace(21, 0, SHORT)))
                    .isInstanceOf(NoAgreementException.class)
                    .hasMessageStartingWith(
                            "no 2 engines answered alike, trace of order 21: {0=another answer of block 7,"
                                    + " 1=another answer of block 7, 2=engine is STARTING");
        }
    }

    @Test
    void shouldSayThatTooFewEnginesAnswered() {
        reach(7, 0, 0, 0);
        try (BrokerClient client = cluster.client().connect()) {
            assertThat(failure(client.trace(21, 0, SHORT)))
                    .isInstanceOf(NoAgreementException.class)
                    .hasMessageStartingWith("too few engines answered, 1 of 4, 2 needed, trace of order 21:"
                            + " {0=another answer of block 7, 1=engine is STARTING, 2=engine is STARTING");
        }
    }

    /** All later than a round takes at first. */
    @Test
    void shouldWaitForSlowEngines() throws Exception {
        reach(9, 9, 9, 9);
        for (int node = 0; node < 4; node++) {
            cluster.answerAfter(node, Duration.ofMillis(250));
        }
        try (BrokerClient client = impatientAsker()) {
            assertThat(client.trace(21, 0, LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .asOfBlock())
                    .isEqualTo(9);
        }
    }

    /** The answers that come in time are enough by number, but one of them is a lie. */
    @Test
    void shouldWaitForSlowEnginesBesideALiar() throws Exception {
        reach(9, 9, 9, 9);
        cluster.lie(0, 3);
        cluster.answerAfter(2, Duration.ofMillis(250));
        cluster.answerAfter(3, Duration.ofMillis(250));
        try (BrokerClient client = impatientAsker()) {
            assertThat(client.positions(ACCOUNT, 0, LONG)
                            .get(AWAIT_LIMIT_S, TimeUnit.SECONDS)
                            .positions())
                    .containsExactly(new InstrumentPosition(1, 9, 900, 0, 0));
        }
    }

    /** Else the twentieth round would take hours. */
    @Test
    void shouldAskOthersAsOftenWhereOneEngineIsSilent() throws Exception {
        reach(7, 7, 7, 7);
        cluster.fallSilent(3);
        try (BrokerClient client = impatientAsker()) {
            CompletableFuture<AccountPositions> positions = client.positions(ACCOUNT, 12, LONG);
            cluster.awaitAsked(1, 20);

            reach(12, 12, 7);

            assertThat(positions.get(AWAIT_LIMIT_S, TimeUnit.SECONDS).asOfBlock())
                    .isEqualTo(12);
        }
    }

    @Test
    void shouldEndWithTheClient() throws Exception {
        BrokerClient client = cluster.client().connect();
        CompletableFuture<OrderTrace> trace = client.trace(21, 0, LONG);
        cluster.awaitAsked(1, 1);

        client.close();

        assertThat(failure(trace)).isInstanceOf(ClientClosedException.class);
        assertThatThrownBy(() -> client.trace(21, 0, LONG)).isInstanceOf(ClientClosedException.class);
    }

    @Test
    void shouldRefuseABlockBelowZero() {
        try (BrokerClient client = cluster.client().connect()) {
            assertThatThrownBy(() -> client.openOrders(0, -1, LONG)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private BrokerClient impatientAsker() {
        BrokerClientBuilder builder = cluster.client();
        builder.firstQuestionRound = Duration.ofMillis(100);
        return builder.connect();
    }

    private static Throwable failure(CompletableFuture<?> answer) {
        return catchThrowableOfType(ExecutionException.class, () -> answer.get(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                .getCause();
    }
}
