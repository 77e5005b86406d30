package io.sealbook.client.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sealbook.client.ConnectFailedException;
import io.sealbook.client.ConnectionReport;
import io.sealbook.client.Order;
import io.sealbook.client.Receipt;
import io.sealbook.client.cluster.Submission;
import io.sealbook.client.cluster.TestCluster;
import io.sealbook.facts.Facts;
import io.sealbook.protocol.sbe.Side;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A test with four nodes of its own, and the small vocabulary such tests share. */
@Timeout(300)
abstract class ClusterTest {
    static final int HOME = TestCluster.BROKER_ID;

    /** Far beyond what a busy machine needs; a test that holds ends as soon as the fact is there. */
    static final long AWAIT_LIMIT_S = 120;

    final TestCluster cluster = new TestCluster();

    @AfterEach
    void stopCluster() {
        cluster.close();
    }

    /** Returns a builder of a client that turns to another node soon when nothing is heard. */
    BrokerClientBuilder impatient() {
        return cluster.client().receiptTimeout(Duration.ofMillis(300));
    }

    /** Waits until so many different batches have reached a gateway; a batch that is sent again counts once. */
    void awaitSubmissions(int count) throws Exception {
        Facts.await(
                count + " batches submitted",
                () -> cluster.submissions().stream()
                                .map(Submission::signedBatch)
                                .distinct()
                                .count()
                        >= count);
    }

    static Order order(long clOrdId) {
        return Order.limit(clOrdId, 1, 1, Side.BUY, 100, 10);
    }

    static List<Long> ids(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }

    static Receipt await(CompletableFuture<Receipt> future) throws Exception {
        return future.get(AWAIT_LIMIT_S, TimeUnit.SECONDS);
    }

    static void awaitAll(List<CompletableFuture<Receipt>> futures) throws Exception {
        CompletableFuture.allOf(futures.toArray(CompletableFuture[]::new)).get(AWAIT_LIMIT_S, TimeUnit.SECONDS);
    }

    /** Returns what the future failed with. */
    static Throwable failureOf(CompletableFuture<Receipt> future) {
        Throwable thrown = catchThrowable(() -> future.get(AWAIT_LIMIT_S, TimeUnit.SECONDS));
        return thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    }

    /**
     * Fails to connect with more and more patience, until every endpoint has been tried.
     *
     * @return the report of the last attempt
     */
    static ConnectionReport awaitConnectFailure(BrokerClientBuilder client) {
        for (Duration patience = Duration.ofMillis(500); ; patience = patience.multipliedBy(2)) {
            BrokerClientBuilder patient = client.connectTimeout(patience);
            ConnectFailedException failure = catchThrowableOfType(ConnectFailedException.class, patient::connect);
            assertThat(failure).isNotNull();
            boolean isTried =
                    failure.report().endpoints().stream().noneMatch(each -> each.step() == ConnectionReport.Step.NONE);
            if (isTried || patience.toSeconds() > AWAIT_LIMIT_S) {
                return failure.report();
            }
        }
    }
}
