package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ExecutionReport;
import io.sealbook.client.MassCancelFilter;
import io.sealbook.client.OutboxException;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.vocabulary.BatchPosition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of a broker share its sessions: a client takes those alone that are its program's. */
class SessionChoiceTest extends ClusterTest {
    @TempDir
    private Path directory;

    /** The next session may be that of a program beside it, which has nothing under way at the moment. */
    @Test
    void shouldWaitForItsSession() throws Exception {
        cluster.committing(false);
        try (BrokerClient first = cluster.client().connect()) {
            first.submit(order(1));
            awaitSubmissions(1);
            cluster.countLogons();
            CompletableFuture<BrokerClient> second =
                    CompletableFuture.supplyAsync(() -> cluster.client().connect());
            cluster.awaitLogons(3);
            assertThat(second).isNotDone();

            cluster.committing(true);

            try (BrokerClient connected = second.get(AWAIT_LIMIT_S, TimeUnit.SECONDS)) {
                assertThat(connected.firstPosition().session()).isZero();
                await(connected.submit(order(2)));
            }
        }
        assertThat(cluster.executed()).containsExactly(1L, 2L);
    }

    /** A program that only reads needs no session, whatever is under way in it. */
    @Test
    void shouldConnectWithoutASessionToRead() throws Exception {
        cluster.committing(false);
        try (BrokerClient first = cluster.client().connect()) {
            CompletableFuture<Receipt> under = first.submit(order(1));
            awaitSubmissions(1);
            cluster.countLogons();
            BlockingQueue<ExecutionReport> reports = new LinkedBlockingQueue<>();
            try (BrokerClient reader = cluster.client()
                    .readOnly()
                    .connectTimeout(Duration.ofSeconds(AWAIT_LIMIT_S))
                    .executionReports(reports::add)
                    .connect()) {
                assertThat(reader.firstPosition()).isNull();
                assertThat(reader.terms()).isNotNull();
                for (ThrowingCallable submitting : List.<ThrowingCallable>of(
                        () -> reader.submit(order(2)),
                        () -> reader.trySubmit(List.of(order(2))),
                        () -> reader.massCancel(3, MassCancelFilter.ALL),
                        () -> reader.cancelAfter(Duration.ofSeconds(1)))) {
                    assertThatThrownBy(submitting)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("read-only");
                }

                cluster.committing(true);

                assertThat(reports.poll(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                        .isNotNull()
                        .returns(1L, ExecutionReport::clOrdId);
            }
            await(under);
        }
        assertThat(cluster.executed()).containsExactly(1L);
        assertThatThrownBy(() -> cluster.client().readOnly().outbox(directory).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a read-only client has no outbox");
    }

    /** A node that takes no batches has an engine that serves what it has executed. */
    @ParameterizedTest
    @ValueSource(strings = {"ISOLATED", "CATCHING_UP"})
    void shouldReadWhileNoNodeTakesBatches(String state) throws Exception {
        try (BrokerClient first = cluster.client().connect()) {
            await(first.submit(order(1)));
        }
        for (int nodeId = 0; nodeId < TestCluster.NODE_COUNT; nodeId++) {
            cluster.state(nodeId, state);
        }
        BlockingQueue<ExecutionReport> reports = new LinkedBlockingQueue<>();

        try (BrokerClient reader = cluster.client()
                .readOnly()
                .reportsFrom(1)
                .executionReports(reports::add)
                .connect()) {
            assertThat(reports.poll(AWAIT_LIMIT_S, TimeUnit.SECONDS))
                    .isNotNull()
                    .returns(1L, ExecutionReport::clOrdId);
        }
    }

    @Test
    void shouldTakeTheNextOfItsSessionsWhereBatchesAreUnderWay() throws Exception {
        cluster.committing(false);
        try (BrokerClient first = cluster.client().sessions(2, 3).connect()) {
            CompletableFuture<Receipt> under = first.submit(order(1));
            awaitSubmissions(1);
            try (BrokerClient second = cluster.client().sessions(2, 3).connect()) {
                assertThat(second.firstPosition()).isEqualTo(BatchPosition.first(3));
                cluster.committing(true);
                await(second.submit(order(2)));
            }
            await(under);
        }
    }

    @Test
    void shouldNameWhatIsUnderWayInItsSession() throws Exception {
        cluster.committing(false);
        try (BrokerClient first = cluster.client().session(2).connect()) {
            first.submit(order(1));
            awaitSubmissions(1);

            assertThat(obstacleOf(cluster.client().session(2)))
                    .contains("session 2 has batches under way")
                    .containsPattern("node \\d has 1, 0 in blocks");
            cluster.committing(true);
        }
    }

    @Test
    void shouldNameASuspendedSession() throws Exception {
        try (BrokerClient first = cluster.client().connect()) {
            await(first.submit(order(1)));
        }
        for (int node = 0; node < 4; node++) {
            cluster.logon(node, state -> state.setSuspended(true));
        }

        assertThat(obstacleOf(cluster.client())).contains("session 0 is suspended");
    }

    /** Fewer nodes than decide have answered: what they say is all that there is to go by. */
    @Test
    void shouldNameWhatFewNodesAnswerAndWhichAreSilent() {
        cluster.logon(0, state -> state.setSuspended(true));
        cluster.refusingLogons(1, Status.PERMISSION_DENIED.withDescription("no such broker"));
        cluster.kill(2);
        cluster.kill(3);

        assertThat(obstacleOf(cluster.client(), "PERMISSION_DENIED"))
                .contains("too few nodes answered: 1 of the 3 that are needed; session 0 (node 0 has 0, 0 in blocks")
                .contains("; logon at node 1: PERMISSION_DENIED no such broker; no answer of node 2, 3 within")
                .containsPattern("node 2 GATEWAY \\S+ TCP");
    }

    private static String obstacleOf(BrokerClientBuilder client) {
        return obstacleOf(client, "not free");
    }

    /** Fails to connect with more and more patience, until the message has a fact. */
    private static String obstacleOf(BrokerClientBuilder client, String fact) {
        String message = "";
        for (long patienceS = 1; !message.contains(fact) && patienceS < AWAIT_LIMIT_S; patienceS *= 2) {
            client.connectTimeout(Duration.ofSeconds(patienceS));
            message = catchThrowableOfType(ConnectFailedException.class, client::connect)
                    .getMessage();
        }
        return message;
    }

    @Test
    void shouldRefuseAnOutboxOfAnotherSession() throws Exception {
        try (BrokerClient client = cluster.client().session(1).outbox(directory).connect()) {
            await(client.submit(order(1)));
        }

        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> cluster.client().outbox(directory).connect())
                    .isInstanceOf(OutboxException.class)
                    .hasMessageContaining(
                            "is in session 1 of its key, and the client may take session 0 alone; configure session 1");
        }
        try (BrokerClient client =
                cluster.client().sessions(0, 3).outbox(directory).connect()) {
            assertThat(client.firstPosition()).returns(1, BatchPosition::session);
            assertThat(client.firstPosition()).returns(2L, BatchPosition::number);
        }
    }

    @Test
    void shouldRefuseSessionsThatItsKeyDoesNotHave() {
        int count = cluster.genesis().genesis().getParameters().getSessionsPerKey();
        assertThatThrownBy(() -> cluster.client().sessions(1, count).connect())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sessions 1.." + count + ", a key has sessions 0.." + (count - 1));
        assertThatThrownBy(() -> cluster.client().sessions(2, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cluster.client().session(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
